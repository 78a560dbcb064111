package palyra.shell.internal.commands;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.RunRow;
import palyra.api.tape.TapeRecord;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code tape tail [RUN]}: records as they become durable, until Ctrl-C or the end of the run. */
@Component(service = Command.class)
public final class TapeTailCommand extends ShellCommand implements AuthorizesEachResource {
    private static final int PAGE = 200;

    /** A hint may be lost; so long a record may then stay unseen. */
    private static final long LOOK_MILLIS = 1_000;

    private final Seams seams;

    @Activate
    public TapeTailCommand(@Reference Seams seams) {
        super(
                spec(
                        "tape tail",
                        "Shows records as they become durable, until Ctrl-C.",
                        "Without RUN: the journal's own events. Ends by itself with its run.",
                        "tape.read",
                        List.of(
                                OptionSpec.value(
                                        "lines", "N", "How many older ones to begin with (10)")),
                        List.of(
                                PositionalSpec.optional(
                                        "RUN", "Id of a run, last, or journal (journal)"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        int lines = context.arguments().number("lines", 10, 0, 100_000);
        String name = context.arguments().positional(0).orElse(TapeRecord.JOURNAL_STREAM);
        TapeStream stream = TapeStream.permitted(seams, context, name, "tape.read");
        long head = seams.journal().call(journal -> journal.headSeq(stream.streamId()));
        try (Hints hints = new Hints(stream.streamId())) {
            long after = Math.max(0, head - lines);
            while (true) {
                // The state is read first: a terminal run grows no more.
                boolean over = ended(stream);
                after = show(context, stream.streamId(), after);
                if (over) {
                    return ExitCodes.OK;
                }
                context.output().progress("waiting for records; Ctrl-C ends it");
                hints.await();
            }
        }
    }

    private boolean ended(TapeStream stream) {
        if (stream.run().isEmpty()) {
            return false;
        }
        Optional<RunRow> run = seams.journal().call(journal -> journal.run(stream.streamId()));
        return run.isPresent() && run.get().state().terminal();
    }

    private long show(CommandContext context, String streamId, long from) {
        long after = from;
        while (true) {
            long position = after;
            List<TapeRecord> page =
                    seams.journal().call(journal -> journal.tape(streamId, position, PAGE));
            for (TapeRecord record : page) {
                write(context, record);
                after = record.seq();
            }
            if (page.isEmpty()) {
                return after;
            }
        }
    }

    private static void write(CommandContext context, TapeRecord record) {
        if (context.json()) {
            context.output().fields(TapeShowCommand.fields(record));
            return;
        }
        context.output()
                .line(
                        record.seq()
                                + " "
                                + Words.time(record.timeMillis())
                                + " "
                                + record.type()
                                + " "
                                + TapeShowCommand.summary(record));
    }

    /** Wakes the command when the feed says that something came; subscribes again after a swap. */
    private final class Hints implements AutoCloseable {
        private final String streamId;
        private final Semaphore news = new Semaphore(0);
        private volatile LiveFeed.Subscription subscription;

        Hints(String streamId) {
            this.streamId = streamId;
        }

        void await() throws InterruptedException {
            if (subscription == null) {
                subscription = subscribe();
            }
            if (news.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                news.drainPermits();
            }
        }

        private LiveFeed.Subscription subscribe() {
            // Hints of the journal's own events go to those who listen to every stream.
            String topic = TapeRecord.isJournal(streamId) ? LiveFeed.ANY : streamId;
            try {
                return Seams.ifPresent(seams.feed(), feed -> feed.subscribe(topic, this::hear))
                        .orElse(null);
            } catch (PalyraException e) {
                if (e.code() == ErrorCode.RESOURCE_EXHAUSTED) {
                    return null;
                }
                throw e;
            }
        }

        private void hear(FeedItem item) {
            if (item instanceof FeedItem.Closed) {
                subscription = null;
            }
            boolean other =
                    item instanceof FeedItem.Advanced advanced
                            && !advanced.streamId().equals(streamId);
            if (!other) {
                news.release();
            }
        }

        @Override
        public void close() {
            LiveFeed.Subscription open = subscription;
            if (open != null) {
                open.close();
            }
        }
    }
}
