#!/bin/sh
# Whether the server at OWN (host:port) is of use to the cluster: it sees the cluster in order, and if
# it is a replica, it has all that its primary has. A rolling update waits for this before it stops
# the next pod, so that no primary stops while its replica is still copying.
set -eu

ask() {
  valkey-cli -e -h "${OWN%:*}" -p "${OWN##*:}" "$@"
}

ask CLUSTER INFO | grep -q '^cluster_state:ok'
ask INFO replication | grep -Eq '^(role:master|master_link_status:up)'
