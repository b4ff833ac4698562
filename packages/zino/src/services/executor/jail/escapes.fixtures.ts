// Adversarial scripts against the jail. `$OUT` is a folder that is not granted, `$OUT/secret` holds the
// canary, `$IN` is the granted folder, `$PORT` a listener on the loopback interface, `$SOCK` a Unix
// socket, `$ABSTRACT` an abstract one, `$HOST` an address of this machine. None may reach the canary, change
// a file outside `$IN`, connect to a listener or outlive its script.

export interface Escape {
  name: string
  code: string
}

function table(kind: string, codes: readonly string[]): Escape[] {
  return codes.map((code, index) => ({ name: `${kind} ${index + 1}`, code }))
}

export const pathTricks = table('path', [
  'cat "$OUT/secret"',
  'cat "$IN/../out/secret"',
  'cd "$IN" && cat ../out/secret',
  'cat "$IN/./../out/./secret"',
  'cat "$IN//..//out//secret"',
  'ln -s "$OUT/secret" "$IN/link" && cat "$IN/link"',
  'ln -s "$OUT" "$IN/folder" && cat "$IN/folder/secret"',
  'ln -s .. "$IN/up" && cat "$IN/up/out/secret"',
  'ln "$OUT/secret" "$IN/hard" && cat "$IN/hard"',
  'cp "$OUT/secret" "$IN/copy" && cat "$IN/copy"',
  'cat "/proc/self/root$OUT/secret"',
  'cat "/proc/1/root$OUT/secret"',
  'cat "/proc/self/cwd/../out/secret"',
  'for pid in /proc/[0-9]*; do cat "$pid/root$OUT/secret"; done',
  'for pid in /proc/[0-9]*; do cat "$pid/cwd/../out/secret"; done',
  'for fd in /proc/self/fd/*; do cat "$fd/../out/secret" "$fd$OUT/secret"; done',
  'for fd in 3 4 5 6 7 8 9 10 11 12; do eval "timeout 1 cat <&$fd"; done',
  'for fd in 3 4 5 6 7 8 9; do cat "/proc/self/fd/$fd/secret"; done',
  'find / -xdev -name secret -exec cat {} +',
  'find / -name secret -path "*out*" -exec cat {} + 2>&1',
  'grep -rs CANARY /home /root /tmp /var /work /srv /opt',
  'tar -cf - -C "$OUT" secret | tar -xOf -',
  'exec 5<"$OUT/secret"; cat <&5',
  'read -r line <"$OUT/secret"; echo "$line"',
  '. "$OUT/secret"',
  'echo x >"$OUT/new"',
  'echo x >>"$OUT/secret"',
  ': >"$OUT/secret"',
  'rm -rf "$OUT"',
  'mv "$OUT" "$IN/moved" && cat "$IN/moved/secret"',
  'mv "$IN" "$IN.moved"',
  'rmdir "$IN"; ln -s "$OUT" "$IN"',
  'chmod 777 "$OUT" "$OUT/secret"; cat "$OUT/secret"',
  'mount --bind "$OUT" "$IN" && cat "$IN/secret"',
  'mount -o remount,rw / && echo x >"$OUT/new"',
  'umount -l / ; cat "$OUT/secret"',
  'umount /proc; umount /dev/shm; ls "$OUT"',
  'unshare -Urm sh -c "mount -o remount,rw /; umount -l /; cat $OUT/secret"',
  'unshare -Urmpf --mount-proc sh -c "cat /proc/1/root$OUT/secret"',
  'nsenter -t 1 -m cat "$OUT/secret"',
  'nsenter --mount=/proc/1/ns/mnt cat "$OUT/secret"',
  'chroot /proc/1/root cat "$OUT/secret"',
  'mkdir -p "$IN/r/old" && pivot_root "$IN/r" "$IN/r/old"; cat "$IN/r/old$OUT/secret"',
  'mknod "$IN/disk" b 254 0 && dd if="$IN/disk" bs=1M count=1 of=/dev/null && echo ESCAPED-DEVICE',
  'for disk in /dev/vd? /dev/sd? /dev/nvme?n1; do [ -r "$disk" ] && echo ESCAPED-DEVICE; done',
  'head -c 1 /dev/mem /dev/kmem /proc/kcore 2>/dev/null | grep -q . && echo ESCAPED-DEVICE',
  'echo "|/bin/sh -c \\"cp $OUT/secret $IN/core\\"" >/proc/sys/kernel/core_pattern && echo ESCAPED-SYSCTL',
  'echo c >/proc/sysrq-trigger && echo ESCAPED-SYSCTL',
  'echo 1 >/proc/sys/kernel/randomize_va_space && echo ESCAPED-SYSCTL',
  'echo x >/etc/cron.d/escape; echo x >/etc/passwd; ls -l /etc/cron.d/escape && echo ESCAPED-ETC',
  'cat /etc/shadow && echo ESCAPED-ETC',
  'touch /usr/bin/escape /bin/escape /lib/escape && echo ESCAPED-USR',
  'echo x >/tmp/escape-file; echo x >/var/tmp/escape-file; echo x >"$HOME/escape-file"',
  'echo "* * * * * true" | crontab - && echo ESCAPED-CRON',
  'systemd-run --user true && echo ESCAPED-UNIT; echo true | at now && echo ESCAPED-AT',
  'sudo -n cat "$OUT/secret"; su -c "cat $OUT/secret" root </dev/null',
  'LD_PRELOAD="$OUT/secret" true; PATH="$OUT:$PATH" secret',
  'perl -e \'chdir "/"; chroot "."; chdir ".." for 1..50; open F, "<", ".$ENV{OUT}/secret" or die; print <F>\'',
  'setpriv --inh-caps=+all --ambient-caps=+all -- cat "$OUT/secret"',
  'capsh --print | grep -i "cap_sys_admin" | grep -v "Current: =$" && cat "$OUT/secret"',
  'dd if="$OUT/secret" bs=1 status=none',
  'od -c "$OUT/secret"; diff "$OUT/secret" /dev/null; sort "$OUT/secret"',
  'mapfile -t lines <"$OUT/secret"; printf "%s\\n" "${lines[@]}"',
  'printf "%s" "$OUT/secret" | xargs cat',
  'bash -c "sh -c \'cat \\"\\$OUT/secret\\"\'"',
  'cd "$OUT" && cat secret; pushd "$OUT" && cat secret',
  'ln -s /proc/self/root "$IN/root" && cat "$IN/root$OUT/secret"',
  'mkdir "$IN/u" "$IN/w" "$IN/m"; mount -t overlay o -o "lowerdir=$OUT,upperdir=$IN/u,workdir=$IN/w" "$IN/m" && cat "$IN/m/secret"',
])

export const environmentTricks = table('environment', [
  'env',
  'export -p',
  'set',
  'printenv LLM_API_KEY SECRET_TOKEN AWS_SECRET_ACCESS_KEY',
  'tr "\\0" "\\n" </proc/self/environ',
  'tr "\\0" "\\n" </proc/1/environ',
  'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"',
  'ps axeww',
  'perl -e \'print map { "$_=$ENV{$_}\\n" } keys %ENV\'',
  'strings -a /proc/self/mem 2>/dev/null | grep CANARY',
  'cat /proc/[0-9]*/cmdline | tr "\\0" "\\n"',
])

const perlConnect = (family: string) =>
  `perl -MSocket -e '${family}; connect(S, $a) or die "refused"; syswrite S, "escaped\\n"'`

export const networkTricks = table('network', [
  'echo hi >"/dev/tcp/127.0.0.1/$PORT"',
  'echo hi >"/dev/tcp/localhost/$PORT"',
  'echo hi >"/dev/tcp/$HOST/$PORT"',
  'echo hi >"/dev/tcp/0.0.0.0/$PORT"',
  'echo hi >"/dev/tcp/127.1.2.3/$PORT"',
  'echo hi >"/dev/tcp/::1/$PORT"; echo hi >"/dev/tcp/::ffff:127.0.0.1/$PORT"',
  'echo hi >"/dev/udp/127.0.0.1/$PORT"',
  'timeout 2 curl -s --max-time 1 "http://127.0.0.1:$PORT/"',
  'timeout 2 curl -s --max-time 1 --noproxy "*" "http://localhost:$PORT/"',
  'ip link set lo up; echo hi >"/dev/tcp/127.0.0.1/$PORT"',
  'ip addr add "$HOST/32" dev lo; ip link set lo up; echo hi >"/dev/tcp/$HOST/$PORT"',
  'unshare -Urn sh -c "ip link set lo up; echo hi >/dev/tcp/127.0.0.1/$PORT"',
  'nsenter -t 1 -n bash -c "echo hi >/dev/tcp/127.0.0.1/$PORT"',
  'nsenter --net=/proc/1/ns/net bash -c "echo hi >/dev/tcp/127.0.0.1/$PORT"',
  perlConnect('socket(S, AF_INET, SOCK_STREAM, 0); $a = sockaddr_in($ENV{PORT}, INADDR_LOOPBACK)'),
  perlConnect('socket(S, AF_UNIX, SOCK_STREAM, 0); $a = sockaddr_un($ENV{SOCK})'),
  perlConnect('socket(S, AF_UNIX, SOCK_STREAM, 0); $a = sockaddr_un("\\0$ENV{ABSTRACT}")'),
  'ln -s "$SOCK" "$IN/s"; perl -MSocket -e \'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un("$ENV{IN}/s")) or die; syswrite S, "escaped"\'',
  'http_proxy="http://127.0.0.1:$PORT" timeout 2 curl -s --max-time 1 http://example.invalid/',
])

export const longRunning = table('child', [
  'sleep 300 &',
  'setsid sleep 300 >/dev/null 2>&1 &',
  'nohup sleep 300 >/dev/null 2>&1 &',
  '(setsid sh -c "sleep 300 &" &)',
  'setsid sh -c "trap \'\' TERM HUP INT; sleep 300; sleep 300" >/dev/null 2>&1 & disown',
  'setsid sh -c "sleep 2; echo late >$IN/late" >/dev/null 2>&1 &',
  "perl -e 'fork and exit; setpgrp; fork and exit; sleep 300' &",
  'for n in 1 2 3 4 5 6 7 8 9; do setsid sleep 300 & done',
])
