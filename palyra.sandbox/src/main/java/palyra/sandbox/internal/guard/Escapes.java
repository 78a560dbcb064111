package palyra.sandbox.internal.guard;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether the arguments of a command can start other programs, although that is not the program's
 * purpose. Such a command is not refused but marked for policy and approvers. The table is not
 * complete; the sandbox confines commands that it misses.
 */
final class Escapes {
    private static final List<EscapeRule> RULES =
            """
            find gfind/-/-/-exec -execdir -ok -okdir/-
            fd fdfind/--exec --exec-batch/xX/-/-
            tar gtar bsdtar star/--checkpoint-action --use-compress-program --to-command \
            --info-script --new-volume-script --rsh-command --rmt-command/IF/-/-
            git/--exec --exec-path --config-env --extcmd --upload-pack --receive-pack --config \
            --open-files-in-pager --git-dir --work-tree --template --ext-diff --textconv/cO/\
            -x foreach/alias. ext:: pager= sshcommand fsmonitor
            ssh/-/FIS/-/proxycommand localcommand knownhostscommand pkcs11provider \
            securitykeyprovider xauthlocation proxyjump include
            scp sftp/-/FSDo/-/proxycommand
            rsync/--rsh --rsync-path --remote-option --daemon --config --early-exec/eM/-/-
            sort/--compress-program/-/-/-
            zip/--unzip-command/-/-TT/-
            zip zipcloak/-/T/-/-
            man/--pager --html --preprocessor --config-file/PHC/-/-
            nc ncat netcat/--exec --sh-exec --lua-exec/ec/-/-
            nmap/--script --interactive --datadir/-/-/-
            tcpdump/--postrotate-command/z/-/-
            split gsplit/--filter/-/-/-
            cpio/--rsh-command/-/-/-
            rg/--pre --hostname-bin/-/-/-
            ag ack bat batcat/--pager/-/-/-
            wget/--use-askpass --config --execute/e/-/-
            curl/--config/K/-/-
            openssl/--engine --provider/-/-engine -provider -provider-path/-
            gcc g++ cc c++ clang clang++ gfortran cpp/--wrapper/B/-wrapper/-fplugin -fuse-ld -load
            ld/--plugin/-/-plugin/-
            patch/--ed/e/-/-
            tex latex pdftex pdflatex xelatex lualatex luatex/--shell-escape --enable-write18/-\
            /-shell-escape -enable-write18/-
            groff troff pic eqn/-/U/-/-
            gpg gpg2/--exec-path --keyserver-options --photo-viewer --use-agent-program \
            --agent-program --dirmngr-program/-/-/-
            ip/-/-/exec/-
            journalctl systemctl loginctl/-/-/edit --pager -e/-
            install ginstall/--strip-program/-/-/-
            dd/-/-/-/conv=exec
            java javac jar javap/-/J/-/-javaagent -agentpath -agentlib
            7z 7za p7zip/-/-/-/-sfx
            pkg-config/-/-/-/--define-variable
            diff sdiff diff3/--diff-program/-/-/-
            msgfilter msggrep/-/-/-/-
            ffmpeg/-/-/-/-
            yq jq/-/-/-/-
            objdump gdbserver/--exec/-/-/-
            """
                    .lines()
                    .filter(line -> !line.isBlank())
                    .map(EscapeRule::of)
                    .toList();

    private static final Set<String> SEDS = Set.of("sed", "gsed", "ssed");
    private static final Set<String> AWKS =
            Set.of("awk", "gawk", "mawk", "nawk", "original-awk", "goawk", "bwk");
    private static final Set<String> GIT_COMMANDS =
            Set.of(
                    "bisect",
                    "config",
                    "credential",
                    "daemon",
                    "difftool",
                    "filter-branch",
                    "instaweb",
                    "mergetool",
                    "send-email");
    private static final Set<String> MSGFILTER = Set.of("msgfilter", "msgexec");

    private Escapes() {}

    /**
     * Whether a command can start other programs.
     *
     * @param program the program
     * @param names names of the program, and of the applet when it is a multi-call binary
     * @param arguments arguments of the program or applet
     */
    static boolean runsPrograms(FoundProgram program, Set<String> names, List<String> arguments) {
        return program.kind() != ProgramKind.PLAIN
                || isAny(names, MSGFILTER)
                || (isAny(names, SEDS) && SedScript.executes(arguments))
                || (isAny(names, AWKS) && awk(arguments))
                || (names.contains("git") && git(arguments))
                || tarInOldStyle(names, arguments)
                || RULES.stream()
                        .filter(rule -> isAny(names, rule.programs()))
                        .anyMatch(rule -> rule.matches(arguments));
    }

    private static boolean isAny(Set<String> names, Set<String> wanted) {
        return names.stream().anyMatch(wanted::contains);
    }

    /** A pipe or {@code system} in the program, or a program or extension read from a file. */
    private static boolean awk(List<String> arguments) {
        return arguments.stream()
                .anyMatch(
                        argument ->
                                argument.contains("system")
                                        || argument.replace("||", "").contains("|")
                                        || argument.contains("@load")
                                        || argument.contains("@include")
                                        || argument.matches("(?s)-[feEil].*")
                                        || argument.matches("(?s)--(?:f|s|e|i|l)[a-z-]*(?:=.*)?"));
    }

    private static boolean git(List<String> arguments) {
        String command = Subcommands.of(Set.of("git"), arguments);
        boolean clonesWith =
                command.equals("clone") && arguments.stream().anyMatch(a -> a.startsWith("-u"));
        return clonesWith || GIT_COMMANDS.contains(command);
    }

    /** {@code tar cIf program archive}: the first argument is a cluster without a dash. */
    private static boolean tarInOldStyle(Set<String> names, List<String> arguments) {
        return names.contains("tar")
                && Stream.of(arguments)
                        .filter(list -> !list.isEmpty())
                        .map(list -> list.get(0))
                        .anyMatch(first -> first.matches("[A-Za-z]*[IF][A-Za-z]*"));
    }
}
