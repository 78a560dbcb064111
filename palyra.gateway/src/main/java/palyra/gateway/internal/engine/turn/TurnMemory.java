package palyra.gateway.internal.engine.turn;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.tool.ToolImage;
import palyra.gateway.internal.engine.memory.MemoryPool;
import palyra.gateway.internal.engine.memory.MemoryWait;
import palyra.gateway.internal.engine.run.Mailbox;
import palyra.gateway.internal.engine.run.WaitNotice;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.settings.EngineSettings;

/**
 * Counts the bytes that a run holds and that its turn streams, against their limits. A turn that
 * has to wait for memory takes nothing from its mailbox meanwhile, so its provider waits as well
 * and reads no more from its socket. Used by one worker.
 */
public final class TurnMemory implements AutoCloseable {
    /**
     * Bytes of memory for each character of an answer or of a call's input: the text as it grows,
     * the whole text, its record, and the answer to people, each of up to two bytes.
     */
    static final int BYTES_OF_CHAR = 8;

    /** Thoughts are not kept: one piece under way and its record. */
    private static final int BYTES_OF_THOUGHT_CHAR = 2;

    /** A message of the conversation, and the request that is made of it. */
    private static final int BYTES_OF_SHOWN_CHAR = 3;

    private static final int BYTES_OF_OBJECT = 512;

    /** Most calls that a turn may propose, independent of the run's call limit. */
    public static final int MOST_PROPOSALS = 1_000;

    private final MemoryPool.Account account;
    private final WorkerFlags flags;
    private final Consumer<String> waitingFor;
    private long until;
    private long answerBytes;
    private long turnBytes;
    private int proposals;
    private boolean refused;
    private boolean reported; // whether the wait is the reason of the run

    public TurnMemory(MemoryPool.Account account, WorkerFlags flags, Consumer<String> waitingFor) {
        this.account = account;
        this.flags = flags;
        this.waitingFor = waitingFor;
    }

    /** A turn begins that shows these messages. */
    Optional<ModelEvent.Failed> begin(List<ModelMessage> messages, EngineSettings settings) {
        until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.turnTimeoutMillis());
        answerBytes = 0;
        turnBytes = 0;
        proposals = 0;
        refused = false;
        long bytes = Mailbox.MOST_BYTES;
        for (ModelMessage message : messages) {
            bytes += BYTES_OF_OBJECT + (long) BYTES_OF_SHOWN_CHAR * chars(message);
        }
        long shown = bytes;
        return refusal(
                () -> account.keep(shown, settings.memory().limits(), patience(settings)),
                settings);
    }

    private static long chars(ModelMessage message) {
        long chars = message.text().length();
        if (message instanceof ModelMessage.Assistant answer) {
            for (ToolProposal call : answer.proposals()) {
                chars += call.inputJson().length() + call.toolName().length();
            }
        }
        if (message instanceof ModelMessage.ToolOutput output) {
            for (ToolImage image : output.images()) {
                chars += image.data().length();
            }
        }
        return chars;
    }

    /** More of an answer; what fails the turn, if anything does. */
    Optional<ModelEvent.Failed> text(String piece, EngineSettings settings) {
        return countText(piece, BYTES_OF_CHAR, settings);
    }

    /** More of the thoughts; what fails the turn, if anything does. */
    Optional<ModelEvent.Failed> thought(String piece, EngineSettings settings) {
        return countText(piece, BYTES_OF_THOUGHT_CHAR, settings);
    }

    private Optional<ModelEvent.Failed> countText(String piece, int each, EngineSettings settings) {
        long bytes = utf8(piece);
        answerBytes += bytes;
        long most = settings.memory().maxAnswerBytes();
        if (answerBytes > most) {
            return Optional.of(
                    tooLarge("its answer and thoughts have more than " + most, "maxAnswerBytes"));
        }
        return take(bytes, (long) each * piece.length(), settings);
    }

    /** A call more; what fails the turn, if anything does. */
    Optional<ModelEvent.Failed> proposal(ToolProposal call, EngineSettings settings) {
        if (++proposals > MOST_PROPOSALS) {
            return Optional.of(
                    failed(
                            "The turn was given up: it proposes more than "
                                    + MOST_PROPOSALS
                                    + " tool calls."));
        }
        long chars = (long) call.inputJson().length() + call.toolName().length();
        return take(
                utf8(call.inputJson()) + utf8(call.toolName()),
                BYTES_OF_OBJECT + BYTES_OF_CHAR * chars,
                settings);
    }

    private Optional<ModelEvent.Failed> take(long streamed, long held, EngineSettings settings) {
        turnBytes += streamed;
        long most = settings.memory().maxTurnBytes();
        if (turnBytes > most) {
            return Optional.of(
                    tooLarge("what the model streamed has more than " + most, "maxTurnBytes"));
        }
        return refusal(
                () -> account.take(held, settings.memory().limits(), patience(settings)), settings);
    }

    private MemoryWait patience(EngineSettings settings) {
        return new MemoryWait(until, flags::raised, used -> report(used, settings));
    }

    private void report(long used, EngineSettings settings) {
        reported = true;
        waitingFor.accept(
                "waiting for memory: the runs hold "
                        + used
                        + " of "
                        + settings.memory().totalBytes()
                        + " bytes (runMemoryBytes of palyra.gateway)"
                        + WaitNotice.until(
                                TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())));
    }

    private void waitIsOver() {
        if (reported && !flags.raised()) {
            waitingFor.accept("");
        }
        reported = false;
    }

    /** What fails the turn because it holds much, gets next to nothing, and others wait. */
    Optional<ModelEvent.Failed> giveWay() {
        if (!account.givesWay()) {
            return Optional.empty();
        }
        refused = true;
        return Optional.of(
                new ModelEvent.Failed(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "The turn gave way to others that wait for memory: it held "
                                + account.held()
                                + " bytes, and its model said next to nothing for "
                                + account.idleMillis()
                                + " ms. Ask for less at a time, lower maxActiveRuns or raise"
                                + " runMemoryBytes of palyra.gateway.",
                        true,
                        FailureCause.OTHER,
                        0));
    }

    private interface Asking {
        MemoryPool.Granted ask();
    }

    /** A run that is asked to stop looks at its flags next: that is no failure. */
    private Optional<ModelEvent.Failed> refusal(Asking asking, EngineSettings settings) {
        try {
            return switch (asking.ask()) {
                case YES, STOPPED -> {
                    waitIsOver();
                    yield Optional.empty();
                }
                case TOO_LATE ->
                        Optional.of(
                                failed(
                                        "The runs of this gateway hold "
                                                + account.usedByAll()
                                                + " of "
                                                + settings.memory().totalBytes()
                                                + " bytes, and not enough became free within "
                                                + settings.turnTimeoutMillis()
                                                + " ms; try again, lower maxActiveRuns or raise"
                                                + " runMemoryBytes of palyra.gateway."));
            };
        } catch (PalyraException e) {
            return Optional.of(failed(e.getMessage()));
        }
    }

    private ModelEvent.Failed tooLarge(String what, String setting) {
        return failed(
                "The turn was given up: "
                        + what
                        + " bytes. Ask for less, or raise "
                        + setting
                        + " of palyra.gateway.");
    }

    /** Asking again would bring the same. */
    private ModelEvent.Failed failed(String why) {
        refused = true;
        return new ModelEvent.Failed(
                ErrorCode.RESOURCE_EXHAUSTED, why, false, FailureCause.OTHER, 0);
    }

    static long utf8(String text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }

    /** Returns whether the turn was failed because of what it holds. */
    boolean refused() {
        return refused;
    }

    /** The turn is over: what it streamed is let go. */
    void end() {
        account.endTurn();
    }

    @Override
    public void close() {
        account.close();
    }
}
