package palyra.tools.internal.executor;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import palyra.api.core.tools.ToolExecutor;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolDescriptor;

/** The contract suite itself: executors that break one rule each must be found out. */
class ToolExecutorContractTest {
    /** Passes everything on; each test breaks one thing. */
    private static class Faithful implements ToolExecutor {
        final BuiltinExecutor real;

        Faithful(ToolExecutor real) {
            this.real = (BuiltinExecutor) real;
        }

        @Override
        public List<ToolDescriptor> catalogue() {
            return real.catalogue();
        }

        @Override
        public void start(ToolOrder order, Consumer<ToolOutcome> sink) {
            real.start(order, sink);
        }

        @Override
        public ToolLookup attach(String callId, int attempt, Consumer<ToolOutcome> sink) {
            return real.attach(callId, attempt, sink);
        }

        @Override
        public void cancel(String callId) {
            real.cancel(callId);
        }

        @Override
        public void forget(String callId) {
            real.forget(callId);
        }
    }

    @FunctionalInterface
    private interface Breaking {
        Faithful breakIt(ToolExecutor real);
    }

    private static final class Suite extends BuiltinExecutorContractTest {
        private final Breaking breaking;

        Suite(Breaking breaking) throws Exception {
            this.breaking = breaking;
            openExecutor();
        }

        @Override
        protected ToolExecutor open() {
            return breaking.breakIt(super.open());
        }

        @Override
        protected void withdraw(ToolExecutor executor) {
            super.withdraw(((Faithful) executor).real);
        }
    }

    private static void assertFound(Suite suite, Executable rule) throws Exception {
        assertThrows(AssertionError.class, rule);
        suite.withdrawExecutor();
    }

    @Test
    void findsNothingInAFaithfulExecutor() throws Exception {
        Suite suite = new Suite(Faithful::new);
        suite.startingAnEndedCallBringsItsOutcomeAgain();
        suite.withdrawExecutor();
    }

    @Test
    void findsAnExecutorThatRunsAnEndedCallAgain() throws Exception {
        Suite suite =
                new Suite(
                        real ->
                                new Faithful(real) {
                                    private boolean again;

                                    @Override
                                    public void start(ToolOrder order, Consumer<ToolOutcome> sink) {
                                        real.forget(order.invocation().callId());
                                        real.start(order, sink);
                                        if (again) {
                                            real.cancel(
                                                    order.invocation()
                                                            .callId()); // or it would last
                                        }
                                        again = true;
                                    }
                                });
        assertFound(suite, suite::startingAnEndedCallBringsItsOutcomeAgain);
    }

    @Test
    void findsAnExecutorThatTellsAnOutcomeTwice() throws Exception {
        Suite suite =
                new Suite(
                        real ->
                                new Faithful(real) {
                                    @Override
                                    public void start(ToolOrder order, Consumer<ToolOutcome> sink) {
                                        real.start(order, sink.andThen(sink));
                                    }
                                });
        assertFound(suite, suite::runsACallAndTellsItsOutcomeOnce);
    }

    @Test
    void findsAnExecutorThatForgetsNothing() throws Exception {
        Suite suite =
                new Suite(
                        real ->
                                new Faithful(real) {
                                    @Override
                                    public void forget(String callId) {}
                                });
        assertFound(suite, suite::attachReturnsAKeptOutcomeUntilItIsForgotten);
    }

    @Test
    void findsAnExecutorThatCallsEveryStopAnInterruption() throws Exception {
        Suite suite =
                new Suite(
                        real ->
                                new Faithful(real) {
                                    @Override
                                    public void start(ToolOrder order, Consumer<ToolOutcome> sink) {
                                        real.start(order, told -> sink.accept(renamed(told)));
                                    }
                                });
        assertFound(suite, suite::forgetLeavesARunningCallAlone);
    }

    private static ToolOutcome renamed(ToolOutcome told) {
        return new ToolOutcome(
                told.callId(),
                told.attempt(),
                Outcome.INTERRUPTED,
                told.outputJson(),
                told.error(),
                told.executor(),
                told.sandboxEnforcement(),
                told.executableSha256(),
                told.startedAtMillis(),
                told.finishedAtMillis());
    }
}
