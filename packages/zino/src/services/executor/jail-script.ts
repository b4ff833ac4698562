// A shell script for unshare's new user and mount namespaces: makes every mount read-only except the
// given folders, then drops the capabilities to undo that. Fails closed.
// Arguments: the number of folders, the folders, the command line.

export const jailScript = `
fail() { echo "exc: cannot confine the script: $1" >&2; exit 126; }
count=$1
shift
folders=
while [ "$count" -gt 0 ]; do
  mount --bind -- "$1" "$1" 2>/dev/null || fail "$1"
  folders="$folders$1
"
  shift
  count=$((count - 1))
done
writable() {
  while IFS= read -r folder; do
    [ "$folder" = / ] && return 0
    case "$1" in "$folder" | "$folder"/*) [ -n "$folder" ] && return 0 ;; esac
  done <<LIST
$folders
LIST
  return 1
}
while read -r _ _ _ _ point flags _; do
  point=$(printf '%b' "$point")
  writable "$point" && continue
  keep=
  IFS=,
  for flag in $flags; do
    case "$flag" in nosuid | nodev | noexec | noatime | nodiratime | relatime) keep="$keep,$flag" ;; esac
  done
  unset IFS
  mount -o "remount,bind,ro$keep" -- "$point" 2>/dev/null || fail "$point"
done </proc/self/mountinfo
if command -v setpriv >/dev/null 2>&1; then
  exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
fi
exec "$@"
`
