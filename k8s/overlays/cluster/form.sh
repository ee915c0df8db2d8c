#!/bin/sh
# Forms a cluster out of NODES (host:port, with spaces between them): half of them primaries, each
# with a replica. Where they are a cluster already it does nothing, so it may run at any time.
#
# A cluster is never made anew over one that holds games, nor over one that has lost a node: then
# this fails, and says so. WITHIN is how many seconds it may wait in all. A run that was cut short,
# by that or by anything else, is made good by the next.
set -eu
count=$(echo "$NODES" | wc -w)
end=$(($(date +%s) + ${WITHIN:-300}))

# The seconds that are left. When there are none, that is the end, and what was waited for is told.
left() {
  left=$((end - $(date +%s)))
  [ "$left" -gt 0 ] || { echo "$1" >&2; exit 1; }
}

# `valkey-cli` has no limit of its own for a host that does not answer.
ask() {
  at=$1
  shift
  timeout 5 valkey-cli -e -h "${at%:*}" -p "${at##*:}" "$@" | tr -d '\r'
}

# A number that a node tells about its cluster.
told() {
  ask "$1" CLUSTER INFO | sed -n "s/^$2://p"
}

# The address that a node has told the others, or would tell them: CLUSTER MEET knows no names.
address() {
  ask "$1" CLUSTER NODES | awk '$3 ~ /myself/ { sub(/@.*/, "", $2); print $2 }'
}

replicas() {
  ask "$1" CLUSTER NODES | awk '$3 ~ /slave|replica/' | wc -l
}

# Every node knows all the others and all slots.
joined() {
  for node in $NODES; do
    [ "$(told "$node" cluster_known_nodes)" -ge "$count" ] || return 1
    [ "$(told "$node" cluster_slots_assigned)" -eq 16384 ] || return 1
  done
}

# And all replicas.
formed() {
  joined || return 1
  for node in $NODES; do
    [ "$(replicas "$node")" -ge $((count / 2)) ] || return 1
  done
}

# What a run leaves undone that ends between one replica and the next: the address of each node that
# keeps no slots and follows nobody, with the id of a primary that nobody follows. Each speaks for
# itself: of the others it may not have heard the latest.
pairs() {
  for node in $NODES; do
    ask "$node" CLUSTER NODES | grep myself
  done | awk '
    $3 !~ /master/ { followed[$4] = 1; next }
    NF > 8 { kept[++primaries] = $1; next }
    { sub(/@.*/, "", $2); idle[++others] = $2 }
    END {
      for (at = 1; at <= primaries; at++)
        if (!(kept[at] in followed) && others > 0) print idle[others--], kept[at]
    }'
}

# Nobody holds a game or has ever followed anybody: new, or left behind by a run that was cut short.
unused() {
  for node in $NODES; do
    [ "$(ask "$node" DBSIZE)" -eq 0 ] || return 1
    [ "$(replicas "$node")" -eq 0 ] || return 1
  done
}

for node in $NODES; do
  until ask "$node" PING 2>/dev/null | grep -q PONG; do
    left "$node does not answer"
    sleep 1
  done
done

if formed; then
  echo "nothing to do: these $count are a cluster"
  exit 0
fi
if unused; then
  addresses=
  for node in $NODES; do
    ask "$node" CLUSTER RESET HARD
    addresses="$addresses $(address "$node")"
  done
  left "there was no time left to make a cluster"
  # It has no limit of its own: where the nodes cannot reach each other it waits for ever.
  # One word for each address: not quoted on purpose.
  # shellcheck disable=SC2086
  timeout "$left" valkey-cli --cluster create $addresses --cluster-replicas 1 --cluster-yes || {
    echo "no cluster was made. Where it waits for the nodes to join, they do not reach each other's" >&2
    echo "bus, which is at their port and 10000: what keeps them from it?" >&2
    exit 1
  }
elif ! joined; then
  echo "these are no whole cluster, but they hold games or were one: nothing is changed." >&2
  echo "k8s/README.md, \"A node that lost its disk\", says what to do." >&2
  exit 1
fi

until formed; do
  left "the nodes do not agree on their cluster"
  # One that has keys refuses, and nothing is lost.
  pairs | while read -r idle primary; do
    echo "$idle follows $primary: $(ask "$idle" CLUSTER REPLICATE "$primary")"
  done
  sleep 1
done
echo "these $count are a cluster now"
