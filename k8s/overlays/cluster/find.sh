#!/bin/sh
# Tells the server at OWN, which is the one of this pod, where the others of NODES are now, and does so
# again each EVERY seconds. All are host:port, NODES with spaces between them.
#
# The nodes of a cluster know each other by id and find each other by IP address, never by name. One
# pod that comes back with another address introduces itself to the others. But where all come back
# at once, after a power cut or an upgrade of the machines, each knows only addresses that are gone,
# and they would never meet again. CLUSTER MEET with a node that is known by its id corrects its
# address. A node that is not known is left alone: forming the cluster is the work of form.sh.
set -u

ask() {
  at=$1
  shift
  timeout 5 valkey-cli -e -h "${at%:*}" -p "${at##*:}" "$@" 2>&1 | tr -d '\r'
}

# The id of a node, and the address that it gives itself.
self() {
  ask "$1" CLUSTER NODES | awk '$3 ~ /myself/ { sub(/@.*/, "", $2); print $1, $2 }'
}

# The address that the server of this pod has for an id.
known() {
  ask "$OWN" CLUSTER NODES | awk -v id="$1" '$1 == id { sub(/@.*/, "", $2); print $2 }'
}

# The shell is the first process of its container: without this, it would not hear the signal.
trap 'exit 0' TERM INT

while :; do
  for node in $NODES; do
    self "$node" | while read -r id address; do
      before=$(known "$id")
      if [ -n "$before" ] && [ "$before" != "$address" ]; then
        echo "$node was at $before and is at $address: $(ask "$OWN" CLUSTER MEET "${address%:*}" "${address##*:}")"
      fi
    done
  done
  sleep "${EVERY:-5}" &
  wait $!
done
