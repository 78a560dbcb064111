package palyra.testing.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;

/** What a command in a sandbox must be able to do, and how it ends. Prints as {@link Attempts}. */
public final class ProcessLifeRules {
    /** Ordinary work, which a sandbox must not disturb. */
    private static final List<String> WORK =
            List.of(
                    ": > made && [ -e made ] && rm made",
                    "f=$(mktemp) && echo x > \"$f\" && rm \"$f\"",
                    "mkdir -p a/b && mv a c && rm -r c",
                    "awk 'BEGIN{exit 0}'",
                    "./sct | grep -q refused && ./memb 10 | grep -q 'got 10'",
                    "socat -V >/dev/null && tar --version >/dev/null && find . >/dev/null",
                    "nice true && ionice -c 3 true && (ulimit -n 32; true) && taskset 1 true",
                    "[ ! -e /usr/bin/git ] || { mkdir g && cd g && git init -q . && git status"
                            + " >/dev/null && cd .. && rm -rf g; }",
                    "bash -c 'x=$(echo a | cat); [ $x = a ]'",
                    "id >/dev/null",
                    "curl --version >/dev/null",
                    "perl -e 'exit 0'",
                    "echo x > /dev/null && head -c1 /dev/urandom >/dev/null",
                    "echo 'int main(){return 0;}' > t.c && gcc -o t t.c && ./t && rm t t.c",
                    "[ \"$LANG\" = C.UTF-8 ] && [ -d \"$TMPDIR\" ] && [ -d \"$HOME\" ]",
                    "(echo a; echo b) | sort -r | head -1 | grep -q b",
                    "i=0; while [ $i -lt 20 ]; do sleep 0.1 & i=$((i+1)); done; wait");

    private final SandboxBackend backend;
    private final Attempts attempts;
    private final SandboxTestBed stand;
    private final Path workspace;

    /** Lives in one workspace. */
    public ProcessLifeRules(SandboxBackend backend, SandboxTestBed stand, Path workspace) {
        this.backend = backend;
        this.attempts = new Attempts(backend, stand);
        this.stand = stand;
        this.workspace = workspace;
    }

    /** Runs everything, in one mode. */
    public void all(String mode, Egress egress, Optional<String> proxy) throws Exception {
        for (int at = 0; at < WORK.size(); at++) {
            ProcessEnd trial = script(egress, proxy, WORK.get(at));
            say(mode, "work" + at, trial.started() && trial.exitCode() == 0, trial);
        }
        for (int code : new int[] {0, 1, 125, 126, 127, 137}) {
            ProcessEnd trial = script(egress, proxy, "exit " + code);
            say(mode, "L26_exit_" + code, trial.started() && trial.exitCode() == code, trial);
        }
    }

    /** Runs what does not depend on the mode. */
    public void once(String mode) throws Exception {
        ProcessEnd cpu = script(Egress.STRICT, Optional.empty(), "while :; do :; done");
        say(mode, "L06_cpu", cpu.exitCode() == 152, cpu);
        ProcessEnd big =
                script(Egress.STRICT, Optional.empty(), "head -c 33000000 /dev/zero > big");
        say(mode, "L11_file_size", big.exitCode() == 153, big);
        Files.deleteIfExists(workspace.resolve("big"));
        ProcessEnd crash = script(Egress.STRICT, Optional.empty(), "kill -SEGV $$");
        say(mode, "L13_signal", crash.started() && crash.exitCode() == 139, crash);
        ProcessEnd input = script(Egress.STRICT, Optional.empty(), "cat; echo end");
        say(mode, "L28_no_input", input.output().equals("end\n"), input);
        arguments(mode);
        daemons(mode);
        refusals(mode);
        growth(mode);
    }

    private void arguments(String mode) throws Exception {
        List<String> odd =
                List.of(
                        "a\nb",
                        "'\"",
                        "$(id)",
                        "",
                        "-n",
                        "\u00e9",
                        "\uD83D\uDE00",
                        "`x`",
                        "*",
                        "\\");
        Stream<String> argv = Stream.concat(Stream.of("/usr/bin/printf", "%s|"), odd.stream());
        ProcessEnd trial =
                run(attempts.spec(Egress.STRICT, Optional.empty(), workspace, argv.toList()));
        say(mode, "L23_arguments", trial.output().equals(String.join("|", odd) + "|"), trial);
    }

    private void daemons(String mode) throws Exception {
        String script =
                "i=0; while [ $i -lt 20 ]; do (setsid sh -c \"trap '' TERM; exec sleep 32$VP\" &)"
                        + " ; i=$((i+1)); done; sleep 0.3";
        ProcessEnd trial = script(Egress.STRICT, Optional.empty(), script);
        String count = "pgrep -f \"^sleep 32$VP\" >/dev/null";
        int left = 0;
        for (int look = 0; look < 50 && stand.outside(count, workspace) == 0; look++) {
            Thread.sleep(100);
            left = look + 1;
        }
        boolean gone = stand.outside(count, workspace) != 0;
        say(mode, "L02_daemons_gone", gone && left < 50, trial);
    }

    private void refusals(String mode) throws Exception {
        refused(mode, "L25_missing", List.of("/usr/bin/palyra-no-such-program"), "NOT_FOUND");
        refused(mode, "L25_folder", List.of("/usr/bin"), "INVALID_ARGUMENT");
        Path plain = Files.writeString(workspace.resolve("plain"), "x");
        refused(mode, "L25_not_executable", List.of(plain.toString()), "INVALID_ARGUMENT");
        Path outside = Files.copy(workspace.resolve("memb"), stand.host().resolve("tool-" + mode));
        refused(mode, "L25_out_of_sight", List.of(outside.toString()), "INVALID_ARGUMENT");
        Path link = Files.createSymbolicLink(stand.host().resolve("link-" + mode), workspace);
        String[] wrong = {link.toString(), workspace + "/../" + workspace.getFileName(), "/usr"};
        String[] codes = {"INVALID_ARGUMENT", "INVALID_ARGUMENT", "DENIED"};
        for (int at = 0; at < wrong.length; at++) {
            SandboxSpec good = attempts.spec(Egress.STRICT, Optional.empty(), workspace, TRUE);
            refused(mode, "L31_workspace_" + at, moved(good, wrong[at]), codes[at]);
        }
        SandboxSpec good = attempts.spec(Egress.STRICT, Optional.empty(), workspace, TRUE);
        refused(mode, "L32_deleted", moved(good, stand.host() + "/none"), "NOT_FOUND");
    }

    private static final List<String> TRUE = List.of("/usr/bin/true");

    private static SandboxSpec moved(SandboxSpec spec, String workspace) {
        return new SandboxSpec(
                spec.callId(),
                spec.argv(),
                spec.environment(),
                workspace,
                workspace,
                List.of(),
                List.of(),
                spec.egress(),
                spec.proxyFolder(),
                spec.forbiddenPorts(),
                spec.limits(),
                spec.permitMissing(),
                false);
    }

    private void refused(String mode, String id, List<String> argv, String code) {
        refused(mode, id, attempts.spec(Egress.STRICT, Optional.empty(), workspace, argv), code);
    }

    /** Prints whether an order is refused with a code. */
    public void refused(String mode, String id, SandboxSpec spec, String code) {
        String got = "started";
        String why = "";
        try (SandboxProcess process = backend.start(spec)) {
            process.kill();
        } catch (PalyraException e) {
            got = e.code().name();
            why = e.getMessage();
        }
        say(mode, id, got.equals(code), new ProcessEnd(false, -1, got, why));
    }

    private void growth(String mode) throws Exception {
        run(attempts.spec(Egress.STRICT, Optional.empty(), workspace, TRUE));
        long descriptors = count(Path.of("/proc/self/fd"));
        long threads = Thread.getAllStackTraces().size();
        List<String> before = names();
        for (int run = 0; run < 30; run++) {
            script(Egress.STRICT, Optional.empty(), "echo x > \"$TMPDIR/left\"");
        }
        long more = count(Path.of("/proc/self/fd")) - descriptors;
        long grown = Thread.getAllStackTraces().size() - threads;
        boolean same = names().equals(before);
        say(
                mode,
                "L36_nothing_grows",
                more <= 2 && grown <= 2 && same,
                new ProcessEnd(
                        true, 0, more + " descriptors, " + grown + " threads", "" + names()));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(workspace)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static long count(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    /** Runs a script. */
    public ProcessEnd script(Egress egress, Optional<String> proxy, String script)
            throws Exception {
        return run(attempts.spec(egress, proxy, workspace, List.of("/bin/sh", "-c", script)));
    }

    private ProcessEnd run(SandboxSpec spec) throws Exception {
        try (SandboxProcess process = backend.start(spec)) {
            return ProcessEnd.of(process, 20_000);
        }
    }

    /** Prints a result. */
    public static void say(String mode, String id, boolean fine, ProcessEnd trial) {
        Attempts.print(mode, id, fine ? "ok" : "BROKEN", trial);
    }
}
