package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Opened;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.testing.sandbox.Attempts;
import palyra.testing.sandbox.ProcessEnd;
import palyra.testing.sandbox.ProcessLifeRules;
import palyra.testing.sandbox.SandboxTestBed;

/**
 * L31, the hard way: a folder is exchanged for a link to one outside, and back, as fast as a thread
 * can, from the moment of a launch until the command has ended. The checks before and after a start
 * always see the right folder, so only what bubblewrap is given keeps it from mounting the other.
 * The control is the same with plain paths.
 */
final class Exchanges {
    private static final int STARTS = 300;
    private static final int OPTIONS = 5;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final String SCRIPT =
            "grep -qs HOSTSECRET \"$1/secret.txt\" && echo REACHED; echo x > \"$1/wr_exchanged\";"
                    + " [ -e \"$1/memb\" ] && echo HOME; exit 0";

    private final TamperedLauncher launcher;
    private final SandboxBackend backend;
    private final SandboxTestBed stand;
    private final Path workspace;
    private final Path folder;
    private final Path aside;
    private final List<String> protectedPaths;
    private final Semaphore turns = new Semaphore(0);
    private final Semaphore rests = new Semaphore(0);
    private final AtomicBoolean exchanging = new AtomicBoolean();
    private final Map<String, Integer> counts = new TreeMap<>();
    private String detail = "";

    /**
     * Prepares it.
     *
     * @param folder what is exchanged: the workspace, or a folder in it that is mounted
     * @param protectedPaths what is mounted in the workspace, also where the link leads, or the
     *     control would fail for want of it
     */
    Exchanges(
            TamperedLauncher launcher,
            SandboxBackend backend,
            SandboxTestBed stand,
            Path workspace,
            Path folder,
            List<String> protectedPaths) {
        this.protectedPaths = protectedPaths;
        this.launcher = launcher;
        this.backend = backend;
        this.stand = stand;
        this.workspace = workspace;
        this.folder = folder;
        this.aside = folder.resolveSibling(folder.getFileName() + "-aside");
    }

    /** Runs it and prints as {@link Attempts} does. */
    void all(String id) throws Exception {
        Thread swapper =
                Thread.ofPlatform().daemon().name("palyra-sandbox-swapper").start(this::swap);
        launcher.during(this::begin, this::rest);
        launcher.plan(Exchanges::byPath);
        for (int start = 0; start < STARTS && count("reached") == 0; start++) {
            start();
        }
        boolean escaped = count("reached") > 0;
        ProcessLifeRules.say(
                "control", id + "_by_path", escaped, new ProcessEnd(true, 0, "" + counts, detail));
        Files.deleteIfExists(stand.host().resolve("wr_exchanged"));
        counts.clear();
        launcher.plan(plan -> plan);
        for (int start = 0; start < STARTS; start++) {
            start();
        }
        boolean kept = count("reached") == 0 && !Files.exists(stand.host().resolve("wr_exchanged"));
        ProcessLifeRules.say("strict", id, kept, new ProcessEnd(true, 0, "" + counts, detail));
        launcher.honest();
        boolean usable = count("home") > 0 || start().equals("home");
        ProcessLifeRules.say(
                "control", id + "_at_home", usable, new ProcessEnd(true, 0, "" + counts, detail));
        swapper.interrupt();
        swapper.join();
    }

    private int count(String what) {
        return counts.getOrDefault(what, 0);
    }

    private String start() throws InterruptedException {
        SandboxSpec spec = spec();
        String what;
        try (SandboxProcess process = backend.start(spec)) {
            ProcessEnd ending = ProcessEnd.of(process, PATIENCE_MILLIS);
            what = ending.output().contains("REACHED") ? "reached" : "failed";
            what = ending.output().contains("HOME") ? "home" : what;
            detail = ending.problem().isEmpty() ? detail : ending.problem();
        } catch (PalyraException e) {
            what = "refused";
            detail = e.getMessage();
        }
        counts.merge(what, 1, Integer::sum);
        return what;
    }

    private SandboxSpec spec() {
        SandboxSpec usual =
                new Attempts(backend, stand)
                        .spec(
                                Egress.STRICT,
                                Optional.empty(),
                                workspace,
                                List.of("/bin/sh", "-c", SCRIPT, "sh", folder.toString()));
        return new SandboxSpec(
                usual.callId(),
                usual.argv(),
                usual.environment(),
                usual.workspace(),
                usual.workingFolder(),
                protectedPaths,
                usual.readOnlyPaths(),
                usual.egress(),
                usual.proxyFolder(),
                usual.forbiddenPorts(),
                usual.limits(),
                usual.permitMissing(),
                usual.stdinPiped());
    }

    /** Called when a launch begins. */
    private void begin() {
        exchanging.set(true);
        turns.release();
    }

    /** Called when what was launched has ended: the folder is at home again then. */
    private void rest() {
        exchanging.set(false);
        try {
            if (!rests.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the folder did not come home");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void swap() {
        try {
            while (true) {
                turns.acquire();
                for (int round = 0; exchanging.get(); round++) {
                    Files.move(folder, aside);
                    put(() -> Files.createSymbolicLink(folder, stand.host()));
                    LockSupport.parkNanos(round % 3 * 100_000L);
                    Files.delete(folder);
                    put(() -> Files.move(aside, folder));
                    LockSupport.parkNanos(round % 5 * 100_000L);
                }
                rests.release();
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Something that puts a file or folder where nothing is. */
    private interface Put {
        void run() throws IOException;
    }

    /**
     * A sandbox may have made the folder that it found missing: that goes, within the workspace.
     */
    private void put(Put put) throws IOException {
        while (true) {
            try {
                put.run();
                return;
            } catch (FileAlreadyExistsException made) {
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.deleteIfExists(file);
                    }
                } catch (NoSuchFileException | UncheckedIOException gone) {
                    continue; // by itself, in the meantime
                }
            }
        }
    }

    /** Turns descriptors back into the paths that they were opened by. */
    private static LaunchPlan byPath(LaunchPlan plan) {
        List<Passed> passed = new ArrayList<>();
        for (Passed one : plan.passed()) {
            passed.add(
                    one.descriptor() == OPTIONS
                            ? new Passed(OPTIONS, paths(one.content(), plan.opened()))
                            : one);
        }
        return TamperedLauncher.with(plan, passed, List.of());
    }

    private static byte[] paths(byte[] options, List<Opened> opened) {
        String text = new String(options, StandardCharsets.UTF_8);
        for (Opened one : opened) {
            text = text.replace("-fd\0" + one.descriptor() + "\0", "\0" + one.path() + "\0");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
