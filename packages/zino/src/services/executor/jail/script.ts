// A shell script that confines one script. It runs in new user, mount and process namespaces. In mode
// `root` it builds a file system of the system folders (read-only) and the granted paths, and makes it the
// root. In mode `masked` it hides paths in the existing one. In both only the writable paths can be written,
// and /dev holds no block devices. It then drops every privilege that could undo this. Fails closed.
// Arguments: the mode, the script, the working folder; six lists, each with its length first (system
// folders, readable, writable, masked and read-only paths, the command line of the forwarder to a proxy);
// the command line.

export const jailScript = `
fail() { echo "exc: cannot confine the script: $1" >&2; exit 126; }
umask 022
mode=$1 script=$2 work=$3 root=
shift 3
exec 3<"$script" || fail "$script"
list() {
  count=$1 lines=
  shift
  while [ "$count" -gt 0 ]; do
    lines="$lines$1
"
    shift
    count=$((count - 1))
  done
}
list "$@"; shift "$(($1 + 1))"; system=$lines
list "$@"; shift "$(($1 + 1))"; readable=$lines
list "$@"; shift "$(($1 + 1))"; writable=$lines
list "$@"; shift "$(($1 + 1))"; masked=$lines
list "$@"; shift "$(($1 + 1))"; fixed=$lines
port=
if [ "$1" -gt 0 ]; then
  # The node program, its code, the socket and the offered ports: no word of them holds a line break
  # but the code, which has its own argument.
  ip link set lo up 2>/dev/null || fail "the network"
  count=$1 node=$2 code=$3 socket=$4
  shift 4
  offered=
  while [ "$count" -gt 3 ]; do
    offered="$offered $1"
    shift
    count=$((count - 1))
  done
  port=$(setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- \
    "$node" -e "$code" "$socket" $offered </dev/null 2>/dev/null &)
  [ -n "$port" ] || fail "the network: the forwarder does not start"
else
  shift
fi
each() {
  while IFS= read -r item; do
    [ -z "$item" ] || "$1" "$item" || fail "$item"
  done <<LIST
$2
LIST
}
is_below() {
  while IFS= read -r folder; do
    [ "$folder" != / ] || return 0
    case "$1" in "$folder" | "$folder"/*) [ -n "$folder" ] && return 0 ;; esac
  done <<LIST
$2
LIST
  return 1
}
bind() {
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$(dirname "$root$1")" && : >>"$root$1"; fi
  mount --rbind -- "$1" "$root$1"
} 2>/dev/null
bind_system() {
  if [ -L "$1" ]; then ln -s "$(readlink "$1")" "$root$1"; return; fi
  [ ! -e "$1" ] || bind "$1"
}
mask() {
  [ -e "$root$1" ] || return 0
  if [ ! -d "$root$1" ]; then mount --bind /dev/null "$root$1"; return; fi
  mount -t tmpfs -o mode=755,size=16m,nosuid,nodev none "$root$1"
} 2>/dev/null
fix() { [ ! -e "$root$1" ] || mount --rbind -- "$root$1" "$root$1"; } 2>/dev/null
build_root() {
  for place in /sys /media /boot; do [ ! -d "$place" ] || break; done
  mount -t tmpfs -o mode=755,size=64m,nosuid,nodev none "$place" || fail "$place"
  root=$place
  each bind_system "$system"
  mkdir -p "$root/etc" "$root/dev" "$root/proc" || fail /dev
  names=
  for name in passwd group hosts host.conf gai.conf resolv.conf nsswitch.conf localtime timezone \\
    ld.so.cache ld.so.conf services protocols mime.types os-release shells bash.bashrc inputrc; do
    [ ! -r "/etc/$name" ] || names="$names /etc/$name"
  done
  cp -L $names "$root/etc/" || fail /etc
} 2>/dev/null
# The devices that programs need; root could read and write the disks of the machine by the others.
build_dev() {
  # Names below the working folder still lead to the devices that the new /dev hides.
  cd /dev || fail /dev
  [ "$mode" = root ] || mount -t tmpfs -o mode=755,size=1m,nosuid,nodev none /dev || fail /dev
  for name in null zero full random urandom tty; do
    : >"$root/dev/$name"
    mount -c --bind -- "$name" "$root/dev/$name" || fail "/dev/$name"
  done
  ln -s /proc/self/fd "$root/dev/fd"
  ln -s /proc/self/fd/0 "$root/dev/stdin"
  ln -s /proc/self/fd/1 "$root/dev/stdout"
  ln -s /proc/self/fd/2 "$root/dev/stderr"
  mkdir "$root/dev/shm" "$root/dev/pts" || fail /dev
  mount -t tmpfs -o mode=1777,size=256m,nosuid,nodev none "$root/dev/shm" || fail /dev/shm
  # Terminals of its own; a kernel without them has none.
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts" &&
    ln -s pts/ptmx "$root/dev/ptmx"
  cd /
} 2>/dev/null
[ "$mode" != root ] || build_root
build_dev
mount -t proc -o nosuid,nodev,noexec proc "$root/proc" 2>/dev/null ||
  [ -z "$root" ] || mount --rbind /proc "$root/proc" 2>/dev/null || fail /proc
# A mount of its own, so that it stays writable in a file system that does not.
hold() { [ "$1" = / ] || mount --rbind -- "$1" "$1"; } 2>/dev/null
if [ "$mode" = root ]; then
  each bind "$readable"
  each bind "$writable"
else
  each hold "$writable"
fi
each mask "$masked"
each fix "$fixed"
if [ ! -e "$root$script" ]; then
  mkdir -p "$(dirname "$root$script")" && cat <&3 >"$root$script" || fail "$script"
fi 2>/dev/null
exec 3<&-
if [ "$mode" = root ]; then
  cd "$root" && mkdir .old && pivot_root . .old && cd / && umount -l /.old && rmdir /.old || fail /
fi 2>/dev/null
may_write() {
  is_below "$1" "$fixed" && return 1
  [ "$mode" != root ] || ! is_below "$1" "$masked" || return 1
  [ "$1" = /dev/shm ] || is_below "$1" "$writable"
}
is_device() {
  case "$1" in /dev/null | /dev/zero | /dev/full | /dev/random | /dev/urandom | /dev/tty | /dev/pts) return 0 ;; esac
  return 1
}
while read -r _ _ _ _ point flags _; do
  point=$(printf '%b' "$point")
  keep=
  IFS=,
  for flag in $flags; do
    case "$flag" in ro | nosuid | noexec | noatime | nodiratime | relatime) keep="$keep,$flag" ;; esac
  done
  unset IFS
  may_write "$point" || keep="$keep,ro"
  is_device "$point" || keep="$keep,nodev"
  # A mount that another one hides, or that root may not enter, cannot be reached by the script either.
  mount -o "remount,bind$keep" -- "$point" 2>/dev/null || [ ! -e "$point" ] || fail "$point"
done </proc/self/mountinfo
cd "$work" 2>/dev/null || cd /
if [ -n "$port" ]; then
  http_proxy=http://127.0.0.1:$port
  https_proxy=$http_proxy HTTP_PROXY=$http_proxy HTTPS_PROXY=$http_proxy no_proxy= NO_PROXY=
  export http_proxy https_proxy HTTP_PROXY HTTPS_PROXY no_proxy NO_PROXY
fi
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
`
