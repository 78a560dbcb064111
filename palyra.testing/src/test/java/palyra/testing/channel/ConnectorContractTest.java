package palyra.testing.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The contract takes what is right, and finds each bug. */
class ConnectorContractTest {
    private static volatile Bug seeded;

    @Nested
    class OfTheRightOne extends ConnectorContract {
        @Override
        protected ConnectorFixture open() {
            return new ChatServer(false, ChatConnector::new);
        }
    }

    @Nested
    class OfTheRightOneWhereRepetitionsAreDropped extends ConnectorContract {
        @Override
        protected ConnectorFixture open() {
            return new ChatServer(true, ChatConnector::new);
        }
    }

    /** Run by the launcher alone. */
    static class OfTheSeeded extends ConnectorContract {
        @Override
        protected ConnectorFixture open() {
            return new ChatServer(
                    seeded == Bug.FORGETS_THE_KEY, server -> new ChatConnector(server, seeded));
        }

        @Override
        protected Duration patience() {
            return Duration.ofSeconds(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void findsTheBug(Bug bug) throws Exception {
        seeded = bug;
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectMethod(OfTheSeeded.class, bug.rule()))
                        .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        assertEquals(1, summary.getTestsFoundCount());
        List<TestExecutionSummary.Failure> failures = summary.getFailures();
        assertEquals(1, failures.size(), bug.rule() + " did not find it");
        String said = said(failures.get(0).getException());
        assertTrue(said.contains(bug.complaint()), bug.rule() + " said: " + said);
    }

    private static String said(Throwable failure) {
        StringBuilder said = new StringBuilder(failure.getMessage());
        for (Throwable other : failure.getSuppressed()) {
            said.append('\n').append(other.getMessage());
        }
        return said.toString();
    }
}
