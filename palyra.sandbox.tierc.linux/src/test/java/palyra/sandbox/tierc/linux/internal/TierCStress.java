package palyra.sandbox.tierc.linux.internal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.testing.sandbox.Attempts;
import palyra.testing.sandbox.ForkStormRules;
import palyra.testing.sandbox.Launchers;
import palyra.testing.sandbox.LimitRules;
import palyra.testing.sandbox.PathSwapRules;
import palyra.testing.sandbox.ProcessEnd;
import palyra.testing.sandbox.ProcessLifeRules;
import palyra.testing.sandbox.SandboxTestBed;
import palyra.testing.sandbox.Suite;

/**
 * Storms of commands in Tier C, bombs where it has cgroups, and a filter that is damaged on its way
 * to bubblewrap; started as another user.
 */
public final class TierCStress {
    private static final long PATIENCE_MILLIS = 30_000;

    private final TamperedLauncher launcher;
    private final TierCBackend backend;
    private final SandboxSpec spec;

    private TierCStress(
            TamperedLauncher launcher, TierCBackend backend, SandboxTestBed stand, Path workspace) {
        this.launcher = launcher;
        this.backend = backend;
        this.spec =
                new Attempts(backend, stand)
                        .spec(
                                Egress.STRICT,
                                Optional.empty(),
                                workspace,
                                List.of("/bin/echo", "ran"));
    }

    /** What needs cgroups. */
    public static final class Bombs {
        private Bombs() {}

        /** Runs below the folder of the first argument. */
        public static void main(String[] arguments) throws Exception {
            TierCBackend backend = backend(Launchers.real());
            Suite.run(
                    arguments,
                    backend,
                    backend::close,
                    stand ->
                            new LimitRules(backend, stand, stand.workspace("workspace"))
                                    .all("cgroup"));
        }
    }

    /** Runs below the folder of the first argument. */
    public static void main(String[] arguments) throws Exception {
        TamperedLauncher launcher = new TamperedLauncher(Launchers.real());
        TierCBackend backend = backend(launcher);
        Suite.run(
                arguments,
                backend,
                backend::close,
                stand -> {
                    Path workspace = stand.workspace("workspace");
                    new TierCStress(launcher, backend, stand, workspace).filters();
                    new ForkStormRules(backend, stand, workspace).all("strict");
                    new PathSwapRules(backend, stand).all("strict");
                    exchanges(launcher, backend, stand);
                });
    }

    private static void exchanges(
            TamperedLauncher launcher, TierCBackend backend, SandboxTestBed stand)
            throws Exception {
        Path whole = stand.workspace("exchanged");
        new Exchanges(launcher, backend, stand, whole, whole, List.of())
                .all("L31_exchanged_workspace");
        Path around = stand.workspace("exchanged-inside");
        Path git = around.resolve(".git");
        Files.createDirectories(git.resolve("hooks"));
        Files.createDirectory(stand.host().resolve("hooks"));
        Files.writeString(git.resolve("memb"), "");
        new Exchanges(launcher, backend, stand, around, git, List.of(".git/hooks"))
                .all("L31_exchanged_folder_inside");
    }

    /** Returns Tier C as its component would be made, on a launcher. */
    static TierCBackend backend(ProcessLauncher launcher) {
        return new TierCBackend(
                launcher, new TierCSettings("", "", List.of()), Path.of("/proc/sys"));
    }

    /** L35: a filter that is not the one that was examined lets no command run. */
    private void filters() throws Exception {
        runs("before");
        launcher.filter(filter -> new byte[0]);
        fails("empty");
        launcher.filter(filter -> Arrays.copyOf(filter, filter.length - 3));
        fails("cut_in_an_instruction");
        launcher.filter(filter -> Arrays.copyOf(filter, filter.length - 8));
        fails("without_its_last_instruction");
        launcher.filter(TierCStress::damaged);
        fails("damaged");
        launcher.noFilter();
        fails("missing");
        launcher.honest();
        runs("between");
        launcher.host(facts -> host(facts, facts.arch(), false));
        refused("kernel_without_filters");
        launcher.host(facts -> host(facts, otherArch(facts.arch()), facts.seccomp()));
        refused("filter_of_another_processor");
        launcher.honest();
        backend.probe();
        runs("after");
    }

    /** Every instruction gets a code that the kernel does not know. */
    private static byte[] damaged(byte[] filter) {
        byte[] changed = filter.clone();
        for (int at = 0; at < changed.length; at += 8) {
            changed[at] = (byte) 0xff;
            changed[at + 1] = (byte) 0xff;
        }
        return changed;
    }

    private static String otherArch(String arch) {
        return arch.equals("x86_64") ? "aarch64" : "x86_64";
    }

    private static HostFacts host(HostFacts facts, String arch, boolean seccomp) {
        return new HostFacts(
                facts.os(),
                arch,
                facts.kernel(),
                facts.effectiveUid(),
                facts.spawn(),
                facts.landlockAbi(),
                seccomp,
                facts.noNewPrivs(),
                facts.cgroup(),
                facts.cgroupControllers(),
                facts.problem());
    }

    private void runs(String id) throws Exception {
        ProcessEnd ending = attempt();
        ProcessLifeRules.say("control", "L35_" + id, ending.output().equals("ran\n"), ending);
    }

    private void fails(String id) throws Exception {
        ProcessEnd ending = attempt();
        boolean none = !ending.started() && ending.output().isEmpty();
        ProcessLifeRules.say("strict", "L35_" + id, none, ending);
    }

    private ProcessEnd attempt() throws InterruptedException {
        try (SandboxProcess process = backend.start(spec)) {
            return ProcessEnd.of(process, PATIENCE_MILLIS);
        } catch (PalyraException e) {
            return new ProcessEnd(false, -1, "", e.getMessage());
        }
    }

    /** What the host has is looked at before; nothing starts after that. */
    private void refused(String id) {
        backend.probe();
        try (SandboxProcess process = backend.start(spec)) {
            ProcessLifeRules.say(
                    "strict", "L35_" + id, false, new ProcessEnd(true, 0, "it started", ""));
            process.kill();
        } catch (PalyraException e) {
            ProcessLifeRules.say(
                    "strict", "L35_" + id, true, new ProcessEnd(false, -1, "", e.getMessage()));
        }
    }
}
