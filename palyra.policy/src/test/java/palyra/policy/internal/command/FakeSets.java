package palyra.policy.internal.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicyReport.Outcome;
import palyra.api.core.policy.PolicySetView;
import palyra.api.core.policy.PolicyStatus;
import palyra.policy.internal.set.PolicyService;
import palyra.policy.internal.set.Snapshot;

/** Policy sets that say what a test wants, and keep what they were asked. */
final class FakeSets implements PolicyService {
    static final PolicyProblem PROBLEM =
            new PolicyProblem(
                    true,
                    "own.cedar",
                    3,
                    7,
                    "It is wrong.",
                    "Do it right.",
                    "permit (x",
                    "       ^");

    final List<String> asked = new ArrayList<>();
    final Map<String, Snapshot> stored = new LinkedHashMap<>();
    final List<String> folders = new ArrayList<>();
    Optional<Snapshot> inForce = Optional.empty();
    Optional<Snapshot> files = Optional.empty();
    Optional<PolicyReport> refused = Optional.empty();
    Trial trial = new Trial(List.of(), List.of());
    Outcome outcome = Outcome.VALID;
    boolean held;
    String engine = "compiled";

    /** A set is in force and in the history. */
    FakeSets with(Snapshot snapshot) {
        inForce = Optional.of(snapshot);
        stored.put(snapshot.view().sha256(), snapshot);
        return this;
    }

    PolicyReport report() {
        boolean bad = outcome == Outcome.REFUSED;
        return new PolicyReport(
                outcome,
                "ab".repeat(32),
                "It was looked at.",
                bad ? List.of(PROBLEM) : List.of(),
                outcome == Outcome.NEEDS_CONFIRMATION ? List.of("not_eve") : List.of(),
                4,
                5,
                6);
    }

    @Override
    public Optional<Snapshot> inForce() {
        return inForce;
    }

    @Override
    public Candidate candidate(Optional<Path> folder) {
        asked.add("candidate " + folder.map(Path::toString).orElse("own"));
        return new Candidate(report(), outcome == Outcome.REFUSED ? Optional.empty() : files);
    }

    @Override
    public Trial tryCases(Optional<Path> folder) {
        asked.add("cases " + folder.map(Path::toString).orElse("own"));
        return trial;
    }

    @Override
    public <T> T aside(Callable<T> work) {
        asked.add("aside");
        try {
            return work.call();
        } catch (PalyraException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Snapshot stored(String sha256) {
        List<Snapshot> found =
                stored.entrySet().stream()
                        .filter(entry -> entry.getKey().startsWith(sha256))
                        .map(Map.Entry::getValue)
                        .toList();
        if (found.isEmpty()) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "There was no such set " + sha256 + ".");
        }
        return found.get(0);
    }

    @Override
    public PolicyStatus status() {
        return new PolicyStatus(
                inForce.map(Snapshot::view), engine, "", held, refused, List.of(), folders);
    }

    @Override
    public PolicyReport check(Optional<Path> folder) {
        asked.add("check " + folder.map(Path::toString).orElse("own"));
        return report();
    }

    @Override
    public PolicyReport reload(Permit permit, String confirmSha256) {
        permit.requireFor("policy.reload", System.currentTimeMillis());
        asked.add("reload " + confirmSha256);
        return report();
    }

    @Override
    public PolicyReport apply(Permit permit, Path folder, String confirmSha256) {
        permit.requireFor("policy.apply", System.currentTimeMillis());
        asked.add("apply " + folder + " " + confirmSha256);
        return report();
    }

    @Override
    public PolicyReport rollback(Permit permit, String sha256) {
        permit.requireFor("policy.rollback", System.currentTimeMillis());
        asked.add("rollback " + sha256);
        return report();
    }

    @Override
    public List<PolicySetView> history(int limit) {
        return stored.values().stream().map(Snapshot::view).limit(limit).toList();
    }

    @Override
    public List<PolicyText> texts(String sha256) {
        return stored(sha256).files();
    }
}
