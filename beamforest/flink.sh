#!/usr/bin/env bash
# Runs grow and tally on Flink, with workers in the submitting process and in processes of their own, kills a worker, and compares all bytes
# with those of the ordinary command.
#
#   beamforest/flink.sh CLASSPATH
#
# CLASSPATH is Beam's Flink job server for Java 17: the jar org.apache.beam:beam-runners-flink-1.19-job-server, or a folder (write '/path/lib/*')
# of org.apache.beam:beam-runners-flink-1.19 with what it depends on, and any slf4j binding. Nothing is downloaded but what go build
# needs. Flink is the one in the job server, in its process, with a restart strategy. The ports of the job server and of its
# workers are open on all network interfaces while this runs; where unshare can make a network of their own they are not.
set -euo pipefail
[ $# = 1 ] || { sed -n '2,5p' "$0" >&2; exit 2; }
cd "$(dirname "$0")"
self=$PWD/flink.sh

if [ -z "${BEAMFOREST_WORK:-}" ]; then
  BEAMFOREST_WORK=$(mktemp -d)
  export BEAMFOREST_WORK
  (cd .. && go build -o "$BEAMFOREST_WORK/rfpragma" ./cmd/rfpragma)
  go build -ldflags='-s -w' -o "$BEAMFOREST_WORK/rfpragma-beam" ./cmd/rfpragma-beam
  go build -ldflags='-s -w' -o "$BEAMFOREST_WORK/boot" github.com/apache/beam/sdks/v2/go/container
  classpath=$1
  if unshare -rn true 2>/dev/null && command -v ip >/dev/null; then
    exec unshare -rn sh -c 'ip link set lo up && exec "$0" "$1"' "$self" "$classpath"
  fi
  exec "$self" "$classpath"
fi

work=$BEAMFOREST_WORK
cd "$work"
export TMPDIR=$work PATH=$work:$PATH
port=18099
server=
finish() {
  if [ -n "$server" ]; then
    below=$(pgrep -P "$server" || true)
    for pid in $below; do kill -9 $(pgrep -P "$pid" || true) "$pid" 2>/dev/null || true; done
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  for copy in /tmp/bin*/worker; do # boot leaves them there
    if cmp -s "$copy" "$work/rfpragma-beam"; then rm -r "$(dirname "$copy")"; fi
  done
  [ "$1" = 0 ] && rm -rf "$work" || echo "logs are in $work" >&2
}
trap 'finish $?' EXIT

printf '#!/bin/sh\nexec "%s/boot" "$@" --semi_persist_dir "%s"\n' "$work" "$work" >worker.sh
chmod +x worker.sh
mkdir conf
cat >conf/flink-conf.yaml <<'END'
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 3
restart-strategy.fixed-delay.delay: 1 s
taskmanager.numberOfTaskSlots: 2
END
java -Xmx1500m -Dorg.slf4j.simpleLogger.defaultLogLevel=info -cp "$1" org.apache.beam.runners.flink.FlinkJobServerDriver \
  --flink-master '[local]' --flink-conf-dir "$work/conf" --job-host localhost --job-port $port --artifact-port 0 --expansion-port -1 \
  --artifacts-dir "$work/artifacts" >server.log 2>&1 &
server=$!
for _ in $(seq 120); do
  if (: </dev/tcp/localhost/$port) 2>/dev/null; then break; fi
  kill -0 $server || { tail server.log >&2; exit 1; }
  sleep 0.5
done

flink="--runner universal --endpoint localhost:$port --parallelism 2 --timeout 5m"
loopback="$flink --environment_type LOOPBACK"
process="$flink --environment_type PROCESS --environment_config {\"command\":\"$work/worker.sh\"} --worker_binary $work/rfpragma-beam"

rfpragma generate fraud --rows 20000 -o data.csv
seconds() { local from=$SECONDS; "$@" >>job.log 2>&1; took=$((SECONDS - from)); }
same() { cmp "$1" "$2" && echo "$3: same bytes, $took s"; }

for bag in bootstrap hash:2000; do
  flags="--trees 60 --bag $bag"
  rfpragma grow data.csv $flags -o plain.part --quiet
  rfpragma tally plain.part data.csv -o plainvotes.part --quiet
  for way in loopback process; do
    seconds rfpragma-beam grow data.csv $flags --parts 12 -o trees.part ${!way}
    same trees.part plain.part "grow, $bag, $way"
    seconds rfpragma-beam tally trees.part data.csv --parts 5 -o votes.part ${!way}
    same votes.part plainvotes.part "tally, $bag, $way"
    rm trees.part votes.part
  done
done

# A worker is killed when it has worked for two seconds; Flink starts another one, and the job anew.
rfpragma generate fraud --rows 200000 -o data.csv
rfpragma grow data.csv --trees 200 -o plain.part --quiet
from=$SECONDS
rfpragma-beam grow data.csv --trees 200 --parts 40 -o trees.part $process >>job.log 2>&1 &
job=$!
killed=
while [ -z "$killed" ] && kill -0 $job 2>/dev/null; do
  sleep 0.1
  for boot in $(pgrep -P $server || true); do
    for worker in $(pgrep -P "$boot" || true); do
      if [ "$(awk '{print $14 + $15}' "/proc/$worker/stat" 2>/dev/null || echo 0)" -gt 200 ]; then
        kill -9 "$worker"
        killed=$worker
      fi
    done
  done
done
wait $job
took=$((SECONDS - from))
[ -n "$killed" ] || { echo "the job was done before its worker could be killed" >&2; exit 1; }
grep -q 'switched from RUNNING to FAILED' server.log || { echo "Flink knows nothing of a failure" >&2; exit 1; }
same trees.part plain.part "grow, worker killed and started anew"
