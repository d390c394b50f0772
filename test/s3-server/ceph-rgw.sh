#!/usr/bin/env bash
# ceph-rgw.sh start|stop DIR PORT: an S3 server on 127.0.0.1:PORT, and with TLS on the port after it, its certificate in DIR/tls.crt. One
# of each of Ceph's daemons with all data in memory; what it writes lies below DIR. The next two ports are the monitor's. Keys: TESTKEY,
# TESTSECRET.
set -euo pipefail
command=$1 dir=$2 port=${3:-}

stop() {
  for file in "$dir"/*.pid; do
    if [ -f "$file" ]; then kill "$(cat "$file")" 2>/dev/null || true; fi
  done
}
if [ "$command" = stop ]; then stop; exit 0; fi

for program in ceph-mon ceph-osd radosgw openssl; do
  command -v "$program" >/dev/null || { echo "no $program: apt-get install --no-install-recommends radosgw ceph-mon ceph-osd ceph-common openssl" >&2; exit 1; }
done
mkdir -p "$dir/mon" "$dir/osd" "$dir/rgw"
cd "$dir"
fsid=$(cat /proc/sys/kernel/random/uuid)
cat > ceph.conf <<CONF
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:$((port + 2)),v1:127.0.0.1:$((port + 3))]
public addr = 127.0.0.1
ms bind ipv6 = false
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
# One copy of everything on one disk, few placement groups: it only has to behave like a cluster.
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
osd objectstore = memstore
memstore device bytes = 2147483648
run dir = $dir
admin socket = $dir/\$name.asok
log file = $dir/\$name.log
pid file = $dir/\$name.pid
keyring = $dir/keyring
[mon.a]
mon data = $dir/mon
[osd.0]
osd data = $dir/osd
keyring = $dir/osd/keyring
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:$port ssl_endpoint=127.0.0.1:$((port + 1)) ssl_certificate=$dir/tls.crt ssl_private_key=$dir/tls.key tcp_nodelay=1
rgw data = $dir/rgw
CONF

ceph_here() { timeout 30 ceph -c ceph.conf "$@"; }
{
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout tls.key -out tls.crt
  ceph-authtool --create-keyring keyring --gen-key -n mon. --cap mon 'allow *'
  ceph-authtool keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
  monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$((port + 2)),v1:127.0.0.1:$((port + 3))]" monmap
  ceph-mon -c ceph.conf --mkfs -i a --monmap monmap --keyring keyring
  ceph-mon -c ceph.conf -i a
  sleep 1
  id=$(cat /proc/sys/kernel/random/uuid)
  secret=$(ceph-authtool --gen-print-key)
  echo "{\"cephx_secret\": \"$secret\"}" | ceph_here osd new "$id" -i -
  ceph-authtool --create-keyring osd/keyring --name osd.0 --add-key "$secret"
  ceph_here auth add osd.0 osd 'allow *' mon 'allow profile osd' -i osd/keyring || true
  ceph-osd -c ceph.conf -i 0 --mkfs --osd-uuid "$id"
  ceph-osd -c ceph.conf -i 0
  timeout 60 radosgw -c ceph.conf -n client.admin
} > start.log 2>&1 || { tail -5 start.log >&2; stop; exit 1; }
for _ in $(seq 1 120); do
  if curl -s -m 2 -o /dev/null "http://127.0.0.1:$port/"; then
    timeout 60 radosgw-admin -c ceph.conf user create --uid=test --display-name=test --access-key=TESTKEY --secret-key=TESTSECRET >> start.log 2>&1
    exit 0
  fi
  sleep 0.5
done
echo "radosgw does not answer; see $dir/*.log" >&2
stop
exit 1
