package palyra.sandbox.internal.guard;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Classes of programs by name. A name counts with and without what distributions add to it: a
 * target triplet before it, a version, a flavour such as {@code -static} or {@code .basic} after
 * it.
 */
final class ProgramNames {
    private static final String INTERPRETERS =
            """
            sh bash rbash dash ash ksh ksh93 rksh mksh lksh pdksh oksh loksh zsh rzsh fish tcsh csh \
            yash posh osh oil ysh nu nushell xonsh elvish es scsh hush msh sash pwsh powershell cmd \
            python pythonw pypy ipython bpython ptpython micropython circuitpython jython cython \
            perl perlthanks cperl raku rakudo ruby irb pry jruby truffleruby mruby rbx \
            node nodejs bun deno ts-node tsx qjs quickjs d8 jsc js gjs rhino njs mujs duk \
            lua luajit luau texlua tcl tclsh wish expect jimsh php php-cgi phpdbg hhvm \
            guile racket sbcl clisp ecl ccl gcl abcl scheme mit-scheme csi gosh chibi chez petite \
            clojure clj bb lein-repl erl escript elixir iex ghci runghc runhaskell hugs ocaml \
            ocamlrun utop java jshell groovy groovysh scala kotlin jruby ammonite amm \
            r rscript octave octave-cli julia gforth pforth forth swipl gprolog yap maxima gp sage \
            osascript rexx regina factor io janet fennel hy crystal swift dart dotnet-script csharp \
            tinycc tcc gdb lldb jdb emacs vim-ex pike falcon gnuplot ngspice \
            ld.so ld-linux ld-musl rtld ldd mshta wscript cscript jjs hbmk mono""";

    private static final String DISPATCHERS =
            """
            busybox toybox coreutils env xargs parallel moreutils-parallel sem timeout nice ionice \
            nohup setsid stdbuf script scriptreplay chrt taskset time watch flock chroot unshare \
            nsenter setpriv sudo sudoedit su doas runuser pkexec strace ltrace valgrind perf \
            ssh-agent dbus-run-session dbus-launch xvfb-run faketime eatmydata fakeroot \
            fakeroot-sysv fakeroot-tcp fakechroot proot systemd-run systemd-inhibit \
            systemd-nspawn start-stop-daemon daemon daemonize screen tmux dtach abduco at batch \
            crontab unbuffer rlwrap run-parts catchsegv bwrap firejail linux32 linux64 setarch i386 \
            i686 x86_64 uname26 ppc32 ppc64 numactl numad cgexec choom prlimit capsh newgrp sg \
            chpst softlimit envdir envuidgid setuidgid setlock multitime hyperfine entr torsocks \
            torify tsocks proxychains direnv watchexec nodemon npx bunx uvx pipx msgexec \
            update-alternatives-run dumb-init tini catatonit s6-svscan runsv runsvdir execlineb \
            execline uftrace bpftrace rr heaptrack gcore socat exec aa-exec pam_run""";

    private static final String RUN_PROGRAMS =
            """
            make gmake bmake nmake ninja samurai just task rake scons waf ant gradle gradlew mvn \
            mvnw mvnd sbt bazel bazelisk buck cargo rustup go npm yarn pnpm corepack pip uv poetry \
            pdm tox nox pytest composer bundle bundler gem cmake ctest meson autoconf automake \
            autoreconf libtool dotnet msbuild lein mix rebar rebar3 stack cabal dune opam zig \
            vim vi nvim ex view rvim rview vimdiff gvim ed red nano pico joe mcedit mc micro kak \
            helix less more most pg m4 dc sqlite sqlite3 psql mysql mariadb mongo mongosh \
            redis-cli ftp lftp ncftp telnet mail mailx mutt alpine docker podman nerdctl buildah \
            kubectl helm ansible ansible-playbook terraform vagrant crictl ctr lxc lxc-attach \
            gpg-agent dpkg apt apt-get aptitude rpm dnf yum zypper apk pacman snap flatpak brew \
            logrotate cron anacron debchange quilt pre-commit husky""";

    private static final Map<String, ProgramKind> KINDS = new HashMap<>();

    static {
        put(RUN_PROGRAMS, ProgramKind.RUNS_PROGRAMS);
        put(DISPATCHERS, ProgramKind.DISPATCHER);
        put(INTERPRETERS, ProgramKind.INTERPRETER);
    }

    private static final Pattern PLAIN = Pattern.compile("[a-z]{1,20}");

    private static final Pattern TRIPLET =
            Pattern.compile("^[a-z0-9_]+-(?:[a-z0-9]+-)?linux-(?:gnu|musl|uclibc)[a-z0-9_]*-");

    private static final Pattern LOADER =
            Pattern.compile(
                    "ld(?:64|-linux|-musl|-uclibc|-kfreebsd)?[-.a-z0-9_]*\\.so(?:\\.[0-9.]+)?");

    private static final Pattern DRESSED =
            Pattern.compile(
                    "(?<bare>[a-z+_]+(?:-[a-z]+)*?)[-_.]?[0-9]*(?:[.][0-9]+)*[a-z]{0,2}"
                            + "(?:[-_.](?:static|dbg|debug|dev|lts|stable|minimal|bin|real|orig"
                            + "|distrib|basic|tiny|nox|gtk3?|athena|huge|full|cli|c|nojit|jit|exe"
                            + "|[a-z0-9]+_?[0-9]*-linux-[a-z0-9]+|x86_64|aarch64|amd64|arm64))*");

    private static final Pattern FLAVOUR =
            Pattern.compile("(?<bare>.+?)[-_.](?:static|dbg|debug|bin|real|orig|distrib|exe)");

    private ProgramNames() {}

    private static void put(String names, ProgramKind kind) {
        for (String name : names.strip().split("\\s+", -1)) {
            KINDS.merge(name, kind, (a, b) -> a.compareTo(b) >= 0 ? a : b);
        }
    }

    /** Returns the strictest class that any reading of a file name has. */
    static ProgramKind kindOf(String fileName) {
        ProgramKind kind = ProgramKind.PLAIN;
        for (String name : readings(fileName)) {
            ProgramKind found =
                    LOADER.matcher(name).matches()
                            ? ProgramKind.INTERPRETER
                            : KINDS.getOrDefault(name, ProgramKind.PLAIN);
            kind = found.compareTo(kind) > 0 ? found : kind;
        }
        return kind;
    }

    /** Returns a file name as it is and without what distributions add, in lower case. */
    static Set<String> readings(String fileName) {
        Set<String> readings = new LinkedHashSet<>();
        String name = fileName.toLowerCase(Locale.ROOT);
        readings.add(name);
        if (PLAIN.matcher(name).matches()) {
            return readings; // nothing was added to it; most names of a host are such
        }
        readings.add(TRIPLET.matcher(name).replaceFirst(""));
        for (String each : Set.copyOf(readings)) {
            if (each.length() <= 64) { // no program is called that; keeps matching short
                addBare(DRESSED.matcher(each), readings);
                addBare(FLAVOUR.matcher(each), readings);
            }
        }
        return readings;
    }

    private static void addBare(Matcher matcher, Set<String> readings) {
        if (matcher.matches()) {
            readings.add(matcher.group("bare"));
        }
    }
}
