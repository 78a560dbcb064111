package palyra.sandbox.tierc.linux.internal;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.shared.confine.SelfTestRun;
import palyra.shared.hash.Digests;
import palyra.shared.seccomp.Architecture;
import palyra.shared.seccomp.Filters;
import palyra.shared.seccomp.Profile;

/**
 * Probes whether Tier C works here: finds its programs, checks versions, and runs a real command.
 * That {@code bwrap --help} works proves nothing, because the kernel is what may refuse.
 */
final class BwrapProbe {
    /** First version with {@code --disable-userns}; all other options are older. */
    static final int[] OLDEST = {0, 8, 0};

    private static final Pattern VERSION =
            Pattern.compile("bubblewrap (\\d+)\\.(\\d+)(?:\\.(\\d+))?");
    private static final List<Path> NSENTER_PLACES =
            List.of(Path.of("/usr/bin/nsenter"), Path.of("/bin/nsenter"));
    private static final long MILLIS = 10_000;

    private final ProcessLauncher launcher;
    private final TierCSettings settings;
    private final Remedies remedies;
    private volatile Optional<HelperPrograms> helpers = Optional.empty();

    BwrapProbe(ProcessLauncher launcher, TierCSettings settings, Remedies remedies) {
        this.launcher = launcher;
        this.settings = settings;
        this.remedies = remedies;
    }

    /** Returns the helper programs; empty until a probe found that they work. */
    Optional<HelperPrograms> helpers() {
        return helpers;
    }

    /** Probes; the previous result stays in use until the probe has ended. */
    BackendStatus look() {
        BackendStatus status = examine();
        if (status.state() != BackendStatus.State.READY) {
            helpers = Optional.empty();
        }
        return status;
    }

    private BackendStatus examine() {
        HostFacts host = launcher.refresh();
        Map<String, String> facts = hostFacts(host);
        if (host.effectiveUid() == 0) {
            return BackendStatus.refusing(
                    "The gateway runs as root, and no sandbox confines a process of root.",
                    "Start the gateway as a user of its own.",
                    facts);
        }
        if (!host.problem().isEmpty()) {
            return BackendStatus.refusing(host.problem(), Remedies.LOOK_AGAIN, facts);
        }
        Optional<HelperProgram> bwrap = HelperProgram.find(settings.bwrapPlaces());
        if (bwrap.isEmpty()) {
            return BackendStatus.refusing(
                    "bubblewrap was not found at " + settings.bwrapPlaces() + ".",
                    Remedies.INSTALL_BWRAP,
                    facts);
        }
        return examine(bwrap.get(), host, facts);
    }

    private BackendStatus examine(HelperProgram bwrap, HostFacts host, Map<String, String> facts) {
        facts.put("bwrap.path", bwrap.path().toString());
        facts.put("bwrap.sha256", bwrap.sha256());
        if (bwrap.writableByOthers()) {
            return BackendStatus.refusing(
                    "bubblewrap at " + bwrap.path() + " can be written by others than its owner.",
                    "Run chmod go-w " + bwrap.path() + ".",
                    facts);
        }
        SelfTestRun asked = SelfTestRun.run(launcher, version(bwrap), MILLIS);
        Matcher version = VERSION.matcher(asked.output());
        if (!version.find()) {
            return BackendStatus.refusing(
                    bwrap.path() + " does not report its version: " + asked.problem(),
                    Remedies.INSTALL_BWRAP,
                    facts);
        }
        String number = version.group().substring("bubblewrap ".length());
        facts.put("bwrap", number);
        if (older(version)) {
            return BackendStatus.refusing(
                    "bubblewrap at "
                            + bwrap.path()
                            + " is "
                            + number
                            + "; Tier C needs 0.8.0 or later.",
                    "Upgrade it; Debian 12 and Ubuntu 24.04 have a version that is new enough.",
                    facts);
        }
        HelperPrograms found =
                new HelperPrograms(
                        bwrap,
                        number,
                        helper("socat", settings.socatPlaces(), facts),
                        helper("nsenter", NSENTER_PLACES, facts),
                        architecture(host),
                        new Filters());
        filterFacts(found, facts);
        Optional<String> trouble = new TierCTrial(launcher, found, host, settings).run();
        if (trouble.isPresent()) {
            return BackendStatus.refusing(
                    trouble.get(), remedies.blocked(trouble.get(), bwrap.path()), facts);
        }
        helpers = Optional.of(found);
        return BackendStatus.ready(facts, fingerprint(facts));
    }

    private static LaunchPlan version(HelperProgram bwrap) {
        return new LaunchPlan(
                "probe-version",
                List.of(bwrap.path().toString(), "--version"),
                Map.of(),
                "/",
                new Rlimits(5, 0, 1 << 20, 64, 0),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                0,
                false,
                "strict tier=c probe=version");
    }

    private static boolean older(Matcher version) {
        for (int at = 0; at < OLDEST.length; at++) {
            String text = version.group(at + 1);
            int part = text == null ? 0 : Integer.parseInt(text);
            if (part != OLDEST[at]) {
                return part < OLDEST[at];
            }
        }
        return false;
    }

    /** Finds a program that is needed for some commands only. */
    private static Optional<HelperProgram> helper(
            String name, List<Path> places, Map<String, String> facts) {
        Optional<HelperProgram> found =
                HelperProgram.find(places).filter(program -> !program.writableByOthers());
        facts.put(name + ".path", found.map(one -> one.path().toString()).orElse("none"));
        found.ifPresent(one -> facts.put(name + ".sha256", one.sha256()));
        return found;
    }

    private static Optional<Architecture> architecture(HostFacts host) {
        return host.seccomp() ? Architecture.of(host.arch()) : Optional.empty();
    }

    private Map<String, String> hostFacts(HostFacts host) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("kernel", host.kernel());
        facts.put("arch", host.arch());
        facts.put("landlock", host.landlockAbi() == 0 ? "none" : "" + host.landlockAbi());
        facts.put("seccomp", architecture(host).isPresent() ? "yes" : "none");
        facts.put("spawn", host.spawn());
        facts.put("userns", remedies.userNamespaces());
        String controllers = String.join(",", host.cgroupControllers().stream().sorted().toList());
        facts.put(
                "cgroup",
                host.cgroup().isEmpty() ? "none" : host.cgroup() + "(" + controllers + ")");
        return facts;
    }

    private static void filterFacts(HelperPrograms helpers, Map<String, String> facts) {
        for (Profile profile : Profile.values()) {
            helpers.filter(profile)
                    .ifPresent(
                            filter ->
                                    facts.put(
                                            "filter." + profile.name().toLowerCase(Locale.ROOT),
                                            filter.sha256()));
        }
    }

    private static String fingerprint(Map<String, String> facts) {
        Digests digest = Digests.tagged("palyra/tierc.linux/1");
        new TreeMap<>(facts).forEach((name, value) -> digest.lp(name).lp(value));
        return Digests.hex(digest.bytes());
    }
}
