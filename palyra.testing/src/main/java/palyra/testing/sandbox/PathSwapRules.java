package palyra.testing.sandbox;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;

/** L31: a workspace is exchanged for a link to a folder outside while commands start in it. */
public final class PathSwapRules {
    private static final int LEAST_STARTS = 100;
    private static final int LEAST_EXCHANGES = 300;
    private static final int LEAST_OF_EACH = 5;
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final String REACH = "grep -q HOSTSECRET secret.txt 2>/dev/null";
    private static final String SCRIPT =
            REACH + " && echo REACHED; echo x > wr_swap; [ -e memb ] && echo HOME; exit 0";

    private final SandboxBackend backend;
    private final Attempts attempts;
    private final SandboxTestBed stand;
    private final Path workspace;
    private final Path aside;
    private volatile boolean stopped;
    private volatile int exchanges;
    private int starts;
    private int home;
    private int refused;
    private int reached;
    private String refusal = "";

    /** Swaps a workspace of its own. */
    public PathSwapRules(SandboxBackend backend, SandboxTestBed stand) throws IOException {
        this.backend = backend;
        this.attempts = new Attempts(backend, stand);
        this.stand = stand;
        this.workspace = stand.workspace("swapped");
        this.aside = workspace.resolveSibling("swapped-aside");
    }

    /** Runs it and prints as {@link Attempts} does. */
    public void all(String mode) throws Exception {
        exchange();
        int control = stand.outside(REACH, workspace);
        exchangeBack();
        ProcessLifeRules.say(
                "control", "L31_swapped", control == 0, new ProcessEnd(true, control, "", ""));
        List<String> before = outside();
        try (WatchService watch = FileSystems.getDefault().newWatchService()) {
            stand.host().register(watch, ENTRY_CREATE, ENTRY_DELETE);
            Files.delete(Files.createFile(stand.host().resolve("seen")));
            boolean sees = watch.poll(60, TimeUnit.SECONDS) != null;
            ProcessLifeRules.say("control", "L31_watched", sees, new ProcessEnd(true, 0, "", ""));
        }
        try (WatchService watch = FileSystems.getDefault().newWatchService()) {
            stand.host().register(watch, ENTRY_CREATE, ENTRY_DELETE);
            storm();
            WatchKey touched = watch.poll();
            String what = touched == null ? "" : describe(touched);
            ProcessLifeRules.say(
                    mode,
                    "L31_nothing_made_or_removed_outside",
                    touched == null,
                    new ProcessEnd(true, 0, what, refusal));
        }
        report(mode, before);
    }

    private static String describe(WatchKey touched) {
        return touched.pollEvents().stream().map(event -> "" + event.context()).toList().toString();
    }

    private void storm() throws InterruptedException {
        Thread swapper =
                Thread.ofPlatform().daemon().name("palyra-sandbox-swapper").start(this::swap);
        long deadline = System.nanoTime() + LONGEST_NANOS;
        while (!enough() && System.nanoTime() - deadline < 0) {
            start();
        }
        stopped = true;
        swapper.join();
    }

    private void report(String mode, List<String> before) throws IOException {
        boolean same = outside().equals(before);
        boolean met =
                exchanges >= LEAST_EXCHANGES && home >= LEAST_OF_EACH && refused >= LEAST_OF_EACH;
        String counts =
                exchanges
                        + " exchanges, "
                        + starts
                        + " starts, "
                        + home
                        + " at home, "
                        + refused
                        + " refused, "
                        + reached
                        + " reached; outside "
                        + outside();
        ProcessLifeRules.say(
                mode,
                "L31_swapped",
                reached == 0 && same,
                new ProcessEnd(true, 0, counts, refusal));
        ProcessLifeRules.say("control", "L31_met", met, new ProcessEnd(true, 0, counts, refusal));
    }

    private boolean enough() {
        return exchanges >= LEAST_EXCHANGES
                && starts >= LEAST_STARTS
                && home >= LEAST_OF_EACH
                && refused >= LEAST_OF_EACH;
    }

    private void start() throws InterruptedException {
        SandboxSpec spec =
                attempts.spec(
                        Egress.STRICT,
                        Optional.empty(),
                        workspace,
                        List.of("/bin/sh", "-c", SCRIPT));
        starts++;
        try (SandboxProcess process = backend.start(spec)) {
            String said = ProcessEnd.of(process, 60_000).output();
            reached += said.contains("REACHED") ? 1 : 0;
            home += said.contains("HOME") ? 1 : 0;
        } catch (PalyraException e) {
            refused++;
            refusal = e.getMessage();
        }
    }

    private List<String> outside() throws IOException {
        try (Stream<Path> files = Files.list(stand.host())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void swap() {
        try {
            for (int round = 0; !stopped; round++) {
                exchange();
                exchanges = round + 1;
                pause(round % 5);
                exchangeBack();
                pause(round % 7 * 4);
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis) + 200_000);
    }

    private void exchange() throws IOException {
        Files.move(workspace, aside);
        Files.createSymbolicLink(workspace, stand.host());
    }

    private void exchangeBack() throws IOException {
        Files.delete(workspace);
        Files.move(aside, workspace);
    }
}
