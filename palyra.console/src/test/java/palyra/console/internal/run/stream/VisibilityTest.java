package palyra.console.internal.run.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.run.Runs;
import palyra.console.internal.fakes.ScriptedRuns;
import palyra.shared.gate.Gate;

/** What the hints of a stream give away, which is nothing about the runs of others. */
class VisibilityTest {
    private static final Principal VIEWER = principal("user:ada", "viewer");

    private final ScriptedRuns runs = new ScriptedRuns();
    private final Gate<Runs> gate = new Gate<>("The front", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Visibility visibility = new Visibility(gate);

    @BeforeEach
    void fill() {
        gate.add(runs.service(), Map.of());
        runs.add("own", "s1", "user:ada");
        runs.add("theirs", "s2", "user:bob");
    }

    private static Principal principal(String id, String... groups) {
        return new Principal(id, PrincipalKind.USER, Set.of(groups), Set.of(), "");
    }

    private Set<String> topics(Principal viewer, Hint... hints) {
        return visibility.topics(viewer, List.of(hints));
    }

    @Test
    void aRunOfAnotherPrincipalGivesNoHint() {
        assertEquals(Set.of(), topics(VIEWER, new Hint.OfRun("theirs")));
        assertEquals(Set.of(), topics(VIEWER, new Hint.OfApproval("theirs")));
        assertEquals(Set.of(), topics(VIEWER, new Hint.OfRun("gone")));
    }

    @Test
    void anApprovalRequestWithoutARunGivesAViewerNoHint() {
        assertEquals(Set.of(), topics(VIEWER, new Hint.OfApproval("")));
        assertEquals(0, runs.lists.get());
    }

    @Test
    void theJournalAndChannelsAreOperatorsAlone() {
        Hint journal = new Hint.OfSystem("journal");
        Hint channel = new Hint.OfSystem("channel");
        assertEquals(Set.of(), topics(VIEWER, journal, channel));
        assertEquals(Set.of(), topics(principal("user:ann", "approver", "integrator"), journal));
        assertEquals(
                Set.of("journal", "channel"),
                topics(principal("user:op", "operator"), journal, channel));
    }

    @Test
    void anOwnRunIsASessionTheFirstTimeAndTheListIsAskedForOnce() {
        Hint own = new Hint.OfRun("own");
        assertEquals(Set.of("run", "session"), topics(VIEWER, own));
        assertEquals(Set.of("run"), topics(VIEWER, own));
        assertEquals(Set.of(), topics(VIEWER, new Hint.OfRun("theirs")));
        assertEquals(Set.of(), topics(VIEWER, new Hint.OfRun("theirs")));
        assertEquals(2, runs.lists.get());
    }

    @Test
    void aRunThatAnApprovalRequestTellsOfFirstIsASessionToo() {
        assertEquals(Set.of("approval", "session"), topics(VIEWER, new Hint.OfApproval("own")));
        assertEquals(Set.of("run"), topics(VIEWER, new Hint.OfRun("own")));
        Principal operator = principal("user:op", "operator");
        assertEquals(Set.of("approval"), topics(operator, new Hint.OfApproval("")));
        assertEquals(Set.of("approval", "session"), topics(operator, new Hint.OfApproval("new")));
    }

    @Test
    void approversAreToldOfRequestsAndNotOfRuns() {
        Principal approver = principal("user:ann", "approver");
        assertEquals(Set.of("approval"), topics(approver, new Hint.OfApproval("theirs")));
        assertEquals(Set.of(), topics(approver, new Hint.OfRun("theirs")));
    }

    @Test
    void lostHintsTellEachOfTheirOwnTopicsAlone() {
        assertEquals(List.of("run", "session", "approval"), Visibility.all(VIEWER));
        assertEquals(Visibility.ALL, Visibility.all(principal("user:op", "operator")));
    }
}
