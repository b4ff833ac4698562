// A shell script that runs one command so that it survives exc: output and exit code go to files.
// Creating the folder `claim` is atomic, so of several runners for one execution only one starts it.
// Arguments: the execution's folder, the time limit in seconds, the bytes of output to keep, the
// command line.

export const runnerScript = `
trap '' HUP
folder=$1 limit=$2 max=$3
shift 3
mkdir "$folder/claim" 2>/dev/null || exit 0
echo $$ >"$folder/claim/pid.new" && mv "$folder/claim/pid.new" "$folder/claim/pid"
(
  sleep "$limit" &
  sleeper=$!
  trap 'kill "$sleeper"; exit' TERM
  wait "$sleeper"
  [ -e "$folder/code" ] || kill -s KILL -- "-$$"
) >/dev/null 2>&1 &
watchdog=$!
run() {
  "$@"
  echo "$?" >"$folder/code.new"
  mv "$folder/code.new" "$folder/code"
}
keep() {
  head -c "$max" >"$folder/$1"
  wc -c >"$folder/$1.rest.new"
  mv "$folder/$1.rest.new" "$folder/$1.rest"
}
{ { run "$@" 2>&1 1>&3 3>&- | keep err 3>&-; } 3>&1 | keep out; }
kill "$watchdog"
`
