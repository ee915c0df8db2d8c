#!/bin/sh
# Forms a cluster out of NODES (host:port, with spaces between them): half of them primaries, each
# with a replica. Where they are a cluster already it does nothing, so it may run at any time.
#
# A cluster is never made anew over one that holds games, nor over one that has lost a node: then
# this fails, and says so. WITHIN is how many seconds all of it may wait.
set -eu
within=${WITHIN:-300}
count=$(echo "$NODES" | wc -w)

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

# Every node knows all the others, all slots and all replicas.
formed() {
  for node in $NODES; do
    [ "$(told "$node" cluster_known_nodes)" -ge "$count" ] || return 1
    [ "$(told "$node" cluster_slots_assigned)" -eq 16384 ] || return 1
    [ "$(replicas "$node")" -ge $((count / 2)) ] || return 1
  done
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
    within=$((within - 1))
    [ "$within" -gt 0 ] || { echo "$node does not answer" >&2; exit 1; }
    sleep 1
  done
done

if formed; then
  echo "nothing to do: these $count are a cluster"
  exit 0
fi
if ! unused; then
  echo "these are no whole cluster, but they hold games or were one: nothing is changed." >&2
  echo "k8s/README.md, \"A node that lost its disk\", says what to do." >&2
  exit 1
fi

addresses=
for node in $NODES; do
  ask "$node" CLUSTER RESET HARD
  addresses="$addresses $(address "$node")"
done
# One word for each address: not quoted on purpose.
# shellcheck disable=SC2086
valkey-cli --cluster create $addresses --cluster-replicas 1 --cluster-yes

until formed; do
  within=$((within - 1))
  [ "$within" -gt 0 ] || { echo "the nodes do not agree on their cluster" >&2; exit 1; }
  sleep 1
done
echo "these $count are a cluster now"
