#!/bin/sh
# The hook of the tests: keeps what a hook is given, and says what the test wants it to say.
# Usage: hook-watch FOLDER EVENT. Writes one folder a call: payload, ancestors, env, and the transcript as it is now.
# FOLDER/EVENT.reply, if there, goes to stdout; FOLDER/EVENT.sh, if there, is run.
calls=$1 event=$2
name=$(date +%s%N)-$event
call=$calls/$name
# Under its name only when it is complete, for a reader who looks meanwhile.
draft=$calls/.$name
mkdir "$draft"
cat >"$draft/payload"
env >"$draft/env"
pid=$$
while [ "$pid" -gt 1 ]; do
  echo "$pid $(cat "/proc/$pid/comm")"
  pid=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$pid/status")
done >"$draft/ancestors"
transcript=$(sed -n 's/.*"transcript_path":"\([^"]*\)".*/\1/p' "$draft/payload")
[ -f "$transcript" ] && cp "$transcript" "$draft/transcript"
mv "$draft" "$call"
[ -f "$calls/$event.reply" ] && cat "$calls/$event.reply"
[ -f "$calls/$event.sh" ] && . "$calls/$event.sh"
touch "$call/finished"
