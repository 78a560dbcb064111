package palyra.testing.model;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import palyra.api.ErrorCode;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;

/** The contract suite itself: providers that break one rule each must be found out. */
class ModelProviderContractTest {
    /** A provider that speaks on the caller's thread and has no idea of cancelling. */
    private abstract static class Broken implements ModelProvider {
        @Override
        public void cancel(String requestId) {}
    }

    private static final class Suite extends ModelProviderContract {
        private final ModelProvider broken;

        Suite(ModelProvider broken) throws Exception {
            this.broken = broken;
            openProvider();
        }

        @Override
        protected ModelProvider open() {
            return broken;
        }

        @Override
        protected void withdraw(ModelProvider provider) {}

        @Override
        protected ModelRequest shortRequest(String requestId) {
            return ScriptedModelProviderTest.request(requestId);
        }

        @Override
        protected ModelRequest lastingRequest(String requestId) {
            return ScriptedModelProviderTest.request(requestId);
        }
    }

    private static ModelProvider saying(ModelEvent... events) {
        return new Broken() {
            @Override
            public void start(ModelRequest request, ModelSink sink) {
                for (ModelEvent event : events) {
                    sink.accept(event);
                }
            }
        };
    }

    private static void assertFound(Executable rule) {
        assertThrows(AssertionError.class, rule);
    }

    @Test
    void findsAProviderThatGoesOnAfterTheEnd() throws Exception {
        ModelEvent end = new ModelEvent.Finished("stop", 0, 0);
        Suite suite = new Suite(saying(new ModelEvent.TextDelta("a"), end, end));
        suite.answersAndFinishes();
        assertFound(suite::saysNothingAfterTheEnd);
    }

    @Test
    void findsAProviderThatSplitsACodePoint() throws Exception {
        String smile = "🙂";
        Suite suite =
                new Suite(
                        saying(
                                new ModelEvent.TextDelta(smile.substring(0, 1)),
                                new ModelEvent.TextDelta(smile.substring(1)),
                                new ModelEvent.Finished("stop", 0, 0)));
        assertFound(suite::piecesNeverSplitACodePoint);
    }

    @Test
    void findsAProviderThatSpeaksOnTheCallersThread() throws Exception {
        Suite suite =
                new Suite(
                        saying(
                                new ModelEvent.TextDelta("a"),
                                new ModelEvent.Failed(ErrorCode.CANCELLED, "Cancelled.", false)));
        assertFound(suite::tellsFromItsOwnThreadOneEventAtATime);
    }

    @Test
    void findsAProviderThatDoesNotListenToItsSink() throws Exception {
        Suite suite =
                new Suite(saying(new ModelEvent.TextDelta("a"), new ModelEvent.TextDelta("b")));
        assertFound(suite::stopsWhenTheSinkTakesNoMore);
    }

    @Test
    void findsAProviderThatLeavesWithoutAWord() throws Exception {
        assertFound(
                new Suite(saying(new ModelEvent.TextDelta("a")))
                        ::withdrawalFailsRunningTurnsAndEndsTheirThreads);
    }

    @Test
    void findsAProviderThatStartsTurnsAfterItLeft() throws Exception {
        assertFound(new Suite(saying())::refusesTurnsAfterItsWithdrawal);
    }

    @Test
    void findsAProviderThatEndsACancelledTurnAsIfNothingHappened() throws Exception {
        assertFound(new Suite(saying(new ModelEvent.Finished("stop", 0, 0)))::cancelEndsTheTurn);
    }
}
