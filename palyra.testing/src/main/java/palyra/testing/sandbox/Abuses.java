package palyra.testing.sandbox;

import java.util.List;

/**
 * The list. Variables: HOST a folder outside with {@code secret.txt}, WS the workspace, HT a
 * forbidden port with a listener, VP and GATEWAY processes outside, ABS an abstract socket.
 */
public final class Abuses {
    private static final String READ = "grep -q HOSTSECRET \"$HOST/secret.txt\"";

    /** Files. */
    public static final List<Abuse> FILES =
            List.of(
                    Abuse.of(
                            "fs01_etc_shadow",
                            "head -c1 /etc/shadow >/dev/null",
                            "head -c1 /etc/passwd >/dev/null"),
                    Abuse.of("fs02_host_file", READ),
                    Abuse.of("fs04_home_list", "ls /home >/dev/null"),
                    new Abuse(
                            "fs05_write_outside",
                            "echo x > \"$HOST/wr_out\"",
                            "[ -e \"$HOST/wr_out\" ]",
                            ""),
                    Abuse.of("fs06_symlink_read", "grep -q HOSTSECRET link_out"),
                    new Abuse(
                            "fs07_symlink_write",
                            "ln -sf \"$HOST/wr_via_link\" lw; echo x > lw",
                            "[ -e \"$HOST/wr_via_link\" ]",
                            ""),
                    Abuse.of("fs09_dotdot", "grep -q HOSTSECRET ../asset/secret.txt"),
                    Abuse.of(
                            "fs11_proc1_root",
                            "grep -q HOSTSECRET \"/proc/1/root$HOST/secret.txt\"",
                            "grep -q HOSTSECRET \"/proc/self/root$HOST/secret.txt\""),
                    Abuse.of(
                            "fs12_proc_self_root",
                            "grep -q HOSTSECRET \"/proc/self/root$HOST/secret.txt\""),
                    Abuse.of("fs13_proc_gateway_cwd", "ls /proc/$GATEWAY/fd >/dev/null"),
                    Abuse.of(
                            "fs14_proc_environ_any",
                            "cat /proc/[0-9]*/environ 2>/dev/null | grep -q VICTIMTOKEN"),
                    Abuse.of(
                            "fs15_hard_link",
                            "ln \"$HOST/secret.txt\" hl && grep -q HOSTSECRET hl; r=$?; rm -f hl; exit $r"),
                    Abuse.of("fs16_usr_write", "touch /usr/esc_marker", "touch \"$HOST/marker\""),
                    Abuse.of("fs17_truncate_outside", "truncate -s 3 \"$HOST/other.txt\""),
                    Abuse.of(
                            "fs18_block_dev",
                            "head -c1 /dev/vda >/dev/null 2>&1; ls /dev | grep -qE '^(vda|mem|kmsg|vsock)$'",
                            "ls /dev | grep -q null"),
                    Abuse.of("fs20_sys_mount", "ls /sys/class >/dev/null"),
                    Abuse.of(
                            "fs21_rootfs_fill",
                            "head -c 33000000 /dev/zero > /fill",
                            "head -c 33000000 /dev/zero > \"$HOST/fill\"; r=$?; rm -f \"$HOST/fill\"; exit $r"),
                    Abuse.of(
                            "fs22_dev_fill",
                            "head -c 33000000 /dev/zero > /dev/fill || head -c 33000000 /dev/zero > /dev/shm/fill",
                            "-"),
                    new Abuse(
                            "fs24_tmp_fill",
                            "for i in 1 2 3 4 5; do head -c 8000000 /dev/zero > /tmp/palyra_$VP.$i || exit 1; done",
                            "",
                            "for i in 1 2 3 4 5; do head -c 8000000 /dev/zero > /tmp/palyra_$VP.$i || exit 1; done; rm -f /tmp/palyra_$VP.*"),
                    Abuse.of(
                            "fs25_ws_big_file",
                            "head -c 33000000 /dev/zero > big; r=$?; rm -f big; exit $r"),
                    Abuse.of(
                            "fs28_setuid_nnp",
                            "grep -q 'NoNewPrivs:.1' /proc/self/status 2>/dev/null && exit 1; setpriv --dump 2>/dev/null | grep -q 'no_new_privs: 1' && exit 1; exit 0",
                            "-"),
                    Abuse.of(
                            "fs36_setuid_program",
                            "cp /usr/bin/id sid && chmod 4755 sid; r=$?; rm -f sid; exit $r"),
                    Abuse.of(
                            "fs37_setgid_program",
                            "cp /usr/bin/id sgd && chmod g+s sgd; r=$?; rm -f sgd; exit $r"),
                    Abuse.of(
                            "fs38_setuid_at_once",
                            "perl -e 'sysopen(my $f, \"sp\", 0101, 04755) or exit 1;"
                                    + " exit(!((stat($f))[2] & 04000))'; r=$?; rm -f sp; exit $r"),
                    Abuse.of(
                            "fs29_xargs_indirect",
                            "printf '%s\\n' \"$HOST/secret.txt\" > lst; xargs -a lst cat | grep -q HOSTSECRET"),
                    Abuse.of(
                            "fs30_tar_list",
                            "printf '%s\\n' \"$HOST/secret.txt\" > lst; tar -cf - -T lst 2>/dev/null | grep -aq HOSTSECRET"),
                    Abuse.of("fs31_grep_r_follow", "grep -Rqs --devices=skip HOSTSECRET ."),
                    Abuse.of("i01_env_sh", "env sh -c 'grep -q HOSTSECRET \"$HOST/secret.txt\"'"),
                    Abuse.of(
                            "i02_loader",
                            "$(ls /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1 2>/dev/null | head -1) /bin/grep -q HOSTSECRET \"$HOST/secret.txt\""),
                    Abuse.of(
                            "i03_copied_interp",
                            "cp /bin/sh ./mytool && ./mytool -c 'grep -q HOSTSECRET \"$HOST/secret.txt\"'; r=$?; rm -f mytool; exit $r"),
                    Abuse.of(
                            "i04_perl",
                            "perl -e 'open F, \"<$ENV{HOST}/secret.txt\" or exit 1; exit !(<F> =~ /HOSTSECRET/)'"),
                    Abuse.of(
                            "i05_awk",
                            "awk 'BEGIN{exit system(\"grep -q HOSTSECRET $HOST/secret.txt\")}'"),
                    Abuse.of(
                            "i07_find_exec",
                            "find . -maxdepth 0 -exec sh -c 'grep -q HOSTSECRET \"$HOST/secret.txt\" && echo got' \\; | grep -q got"),
                    Abuse.of(
                            "i08_curl_file",
                            "curl -s \"file://$HOST/secret.txt\" | grep -q HOSTSECRET"));

    /** Processes and the kernel. */
    public static final List<Abuse> KERNEL =
            List.of(
                    Abuse.of("pr01_kill_host", "kill -0 $VP"),
                    new Abuse("pr03_kill_all", "kill -9 -1; true", "! kill -0 $VP", "kill -0 $VP"),
                    Abuse.of("pr04_kill_gateway", "kill -0 $GATEWAY"),
                    new Abuse(
                            "pr07_kill_group",
                            "kill -9 0; sleep 1",
                            "! kill -0 $GATEWAY",
                            "kill -0 $GATEWAY"),
                    Abuse.of(
                            "pr06_malloc",
                            "./memb 1000 1 | grep -q 'got 1000'",
                            "./memb 300 | grep -q 'got 300'"),
                    Abuse.of(
                            "pr08_core",
                            "ulimit -c unlimited 2>/dev/null; sh -c 'kill -SEGV $$'; ls core* >/dev/null 2>&1",
                            "-"),
                    Abuse.of(
                            "pr09_cpu",
                            "while :; do :; done",
                            "timeout 3 sh -c 'while :; do :; done'; [ $? = 124 ]"),
                    new Abuse(
                            "pr11_daemon_survive",
                            "setsid sh -c \"exec sleep 31$VP\" >/dev/null 2>&1 & sleep 0.3",
                            "sleep 0.4; pgrep -f \"^sleep 31$VP\" >/dev/null",
                            "setsid sh -c \"exec sleep 0.1\" && pgrep -f '.' >/dev/null"),
                    Abuse.of(
                            "pr12_raise_limits",
                            "ulimit -f unlimited || ulimit -n 100000 || ulimit -c unlimited",
                            "ulimit -S -n 64"),
                    Abuse.of(
                            "pr13_fd_leak",
                            "n=$(ls /proc/self/fd | wc -l); [ \"$n\" -gt 4 ]",
                            "exec 9</dev/null 8</dev/null; n=$(ls /proc/self/fd | wc -l); [ \"$n\" -gt 4 ]"),
                    Abuse.of(
                            "pr14_env_leak",
                            "env | grep -qiE 'token|secret|^HOME=/root|^CARGO_HOME|^(PATH|PWD)=/root'"),
                    Abuse.of("pr16_open_files", "bash -c 'exec 200</dev/null'"),
                    Abuse.of("pr19_limits_of_others", "prlimit --pid $VP --cpu=100000"),
                    Abuse.of("pr20_renice_others", "renice -n 19 -p $VP"),
                    Abuse.of("pr21_affinity_of_others", "taskset -p 1 $VP"),
                    Abuse.of("pr22_disk_priority_of_others", "ionice -c 3 -p $VP"),
                    Abuse.of("pr23_scheduler_of_others", "chrt -b -p 0 $VP"),
                    Abuse.of("k01_sct", "./sct | grep -v '^sock_' | grep -q REACHED"),
                    Abuse.of("k02_mount", "mount -t tmpfs x /tmp", "-"),
                    Abuse.of("k03_unshare_U", "unshare -Ur true"),
                    Abuse.of("k04_tiocsti", "./sct | grep -q '^tiocsti=REACHED'"),
                    Abuse.of("k05_sockets", "./sct | grep '^sock_' | grep -q REACHED"),
                    Abuse.of("k08_dmesg", "dmesg >/dev/null", "-"),
                    Abuse.of("k09_chroot", "chroot . true", "-"),
                    Abuse.of("k10_mknod", "mknod nod c 1 3; head -c1 nod", "-"));

    /** The network in every mode: the port is forbidden. */
    public static final List<Abuse> NETWORK =
            List.of(
                    Abuse.of("n01_loopback", "bash -c 'exec 3<>/dev/tcp/127.0.0.1/$HT'"),
                    Abuse.of(
                            "n01_ipv6_mapped",
                            "curl -s -m 3 -o /dev/null --noproxy '*' --globoff \"http://[::ffff:127.0.0.1]:$HT/\"",
                            "-"),
                    Abuse.of("n01_tcp", "./netp tcp $HT"),
                    Abuse.of("n01_mptcp", "./netp mptcp $HT", "./netp tcp $HT"),
                    Abuse.of("n01_fast_open", "./netp tfo $HT", "./netp tcp $HT"),
                    Abuse.of(
                            "n02_abstract_unix",
                            "socat -u ABSTRACT-CONNECT:$ABS STDOUT | grep -q HOSTSOCK"),
                    Abuse.of(
                            "n05_host_unix",
                            "socat -u \"UNIX-CONNECT:$HOST/host.sock\" STDOUT | grep -q HOSTSOCK"),
                    Abuse.of(
                            "n06_listen",
                            // At one that may have been taken meanwhile, or at any at all.
                            "for port in $FREE 0; do"
                                    + " timeout 2 socat -u TCP4-LISTEN:$port STDOUT;"
                                    + " [ $? = 124 ] && exit 0; done; exit 1"));

    /** The network in a mode without any. */
    public static final List<Abuse> OFFLINE =
            List.of(
                    Abuse.of("n01_open_port", "./netp tcp $OT"),
                    Abuse.of(
                            "n07_resolv",
                            "grep -q nameserver /etc/resolv.conf",
                            "cat /etc/resolv.conf >/dev/null"),
                    Abuse.of("n08_udp", "bash -c 'echo x > /dev/udp/127.0.0.1/$OT'"));

    /** A socket in the workspace. */
    public static final List<Abuse> SOCKET =
            List.of(
                    Abuse.of(
                            "n04_ws_unix",
                            "socat -u UNIX-CONNECT:ws.sock STDOUT | grep -q HOSTSOCK"));

    /** What only namespaces keep away. */
    public static final List<Abuse> NAMESPACES =
            List.of(
                    new Abuse(
                            "fs26_git_hook",
                            "echo x > .git/hooks/pre-commit",
                            "[ -e \"$WS/.git/hooks/pre-commit\" ]",
                            "-"),
                    new Abuse(
                            "fs26_git_moved",
                            "mv .git .git2; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit",
                            "[ -e \"$WS/.git/hooks/pre-commit\" ] || [ -e \"$WS/.git2\" ]",
                            "mv .git .git2 && mv .git2 .git"),
                    new Abuse(
                            "fs26_git_config",
                            "echo x >> .git/config; echo y > c2; mv -f c2 .git/config",
                            "grep -q '[xy]' \"$WS/.git/config\"",
                            "-"),
                    new Abuse(
                            "fs26_editor",
                            "echo x > .vscode/tasks.json; rm -rf .vscode; mv .vscode v; mkdir -p .vscode/x",
                            "! grep -q own \"$WS/.vscode/tasks.json\" || [ -e \"$WS/.vscode/x\" ]",
                            "-"),
                    new Abuse(
                            "pr05_fork_300",
                            "i=0; while [ $i -lt 300 ]; do sleep 60 & i=$((i+1)); done 2>/dev/null",
                            "",
                            "i=0; while [ $i -lt 300 ]; do sleep 1 & i=$((i+1)); done; wait"),
                    Abuse.of("pr15_hostname", "[ \"$(uname -n)\" = \"$NODE\" ]"),
                    Abuse.of("fs32_proc_sys", "echo x > /proc/sys/kernel/core_pattern", "-"),
                    Abuse.of("fs33_passwd", "grep -q palyra-test /etc/passwd", "-"),
                    Abuse.of(
                            "pr17_environ_of_1",
                            "tr '\\0' '\\n' < /proc/1/environ | grep -qiE 'token|secret'",
                            "-"),
                    Abuse.of(
                            "pr18_cmdline_of_1",
                            "tr '\\0' '\\n' < /proc/1/cmdline | grep -q '[r]emount-ro'",
                            "-"));

    /** Numbers of inotify_init1, inotify_add_watch and fchmodat on both processors. */
    private static final String PERL =
            "perl -e 'my ($i, $w, $c) = `uname -m` =~ /aarch64/ ? (26, 27, 53) : (294, 254, 268);"
                    + " my $h = $ENV{HOST}; my $f = \"$h/other.txt\"; my $n = \"other.txt\";"
                    + " sub o { sysopen($k, $_[0], 0x200000) or exit 9; fileno $k } exit(";

    /** Mode, owner, times and watches of what the gateway's user owns outside. */
    public static final List<Abuse> METADATA =
            List.of(
                    Abuse.of("fs34_chmod_outside", "chmod 640 \"$HOST/other.txt\""),
                    Abuse.of("md01_chmod_folder", "chmod 700 \"$HOST\""),
                    Abuse.of("md02_chmod_dotdot", "chmod 640 ../asset/other.txt"),
                    Abuse.of(
                            "md03_chmod_link",
                            "ln -sf \"$HOST/other.txt\" ml; chmod 640 ml; r=$?; rm ml; exit $r"),
                    Abuse.of("md04_chmod_in_folder", "cd \"$HOST\" && chmod 640 other.txt"),
                    Abuse.of("md05_chown", "chown \"$(id -u)\" \"$HOST/other.txt\""),
                    Abuse.of("md06_times", "touch -d 2001-02-03 \"$HOST/other.txt\""),
                    Abuse.of("md07_time_of_link", "touch -h -d 2001-02-03 \"$HOST/other.txt\""),
                    Abuse.of(
                            "md08_watch_folder", PERL + "syscall($w, syscall($i, 0), $h, 2) < 0)'"),
                    Abuse.of("md09_watch_file", PERL + "syscall($w, syscall($i, 0), $f, 2) < 0)'"),
                    Abuse.of("md10_by_folder", PERL + "syscall($c, o($h), $n, 0640) < 0)'"),
                    Abuse.of(
                            "md11_by_own_descriptor",
                            PERL + "!chmod(0640, \"/proc/self/fd/\" . o($f)))'"));

    private Abuses() {}
}
