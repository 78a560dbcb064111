package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

/** Reports what a client in node found, by what it looked at. */
public abstract class NodeStories {
    /** Returns the one run that these tests are about. */
    protected abstract NodeRun played();

    @Test
    public void theClientPlayedEverythingToItsEnd() {
        NodeClient.Outcome outcome = played().outcome();
        List<String> names =
                outcome.checks().stream()
                        .filter(check -> !check.ok())
                        .map(Object::toString)
                        .toList();
        assertEquals(outcome.errors(), "", String.join("\n", names));
        assertEquals(outcome.errors(), 0, outcome.exit());
        holds("setup", 1);
        holds("coverage", 2);
    }

    /** The least is what there was when this was written: a client that skips checks fails. */
    void holds(String group, int least) {
        NodeClient.Outcome outcome = played().outcome();
        List<NodeClient.Check> checks =
                outcome.checks().stream().filter(check -> check.group().equals(group)).toList();
        List<String> failed =
                checks.stream()
                        .filter(check -> !check.ok())
                        .map(check -> check.name() + ": " + check.detail())
                        .toList();
        assertEquals(outcome.errors(), "", String.join("\n", failed));
        assertTrue(
                group + " had only " + checks.size() + " checks\n" + outcome.errors(),
                checks.size() >= least);
    }

    @Test
    public void healthIsToldToAnybody() {
        holds("health", 5);
    }

    @Test
    public void reflectionDescribesTheServices() {
        holds("reflection", 4);
    }

    @Test
    public void sessionsAreResolvedListedAndArchived() {
        holds("sessions", 6);
    }

    @Test
    public void agentsAndTheirBindingsAreKept() {
        holds("agents", 9);
    }

    @Test
    public void runsAreShownStoppedAndToldOfEvents() {
        holds("runs", 7);
    }

    @Test
    public void streamsTellEverythingOnceAndInOrder() {
        holds("streams", 14);
    }

    @Test
    public void lostConnectionsLoseNothing() {
        holds("attach", 8);
    }

    @Test
    public void tapesAreProvedFromTheirFormatAlone() {
        holds("tape", 6);
    }

    @Test
    public void messagesOfChannelsAreRouted() {
        holds("routing", 8);
    }

    @Test
    public void requestsOfABadFormAreRefused() {
        holds("bad form", 292);
    }

    @Test
    public void requestsThatCannotBeDoneAreRefused() {
        holds("bad values", 81);
    }

    @Test
    public void whatBelongsToOthersIsNotThere() {
        holds("foreign", 30);
    }

    @Test
    public void badCredentialsAreRefused() {
        holds("credentials", 75);
    }
}
