#!/bin/sh
# Whether the server of this pod is of use to the cluster: it sees the cluster in order, and if it is
# a replica, it has all that its primary has. A rolling update waits for this before it stops the
# next pod, so that no primary stops while its replica is still copying.
set -eu
cli=${CLI:-valkey-cli}
port=${PORT:-6379}

"$cli" -e -p "$port" CLUSTER INFO | grep -q '^cluster_state:ok'
"$cli" -e -p "$port" INFO replication | grep -Eq '^(role:master|master_link_status:up)'
