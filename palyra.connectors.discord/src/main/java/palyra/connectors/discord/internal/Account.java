package palyra.connectors.discord.internal;

import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.InboundMessage;
import palyra.shared.loop.Heartbeat;

/**
 * What the threads of one life of a connector share.
 *
 * @param context the gateway
 * @param waits how long is waited after failures
 */
record Account(
        DiscordSettings settings,
        ConnectorContext context,
        DiscordApi api,
        Ledger ledger,
        Directory directory,
        AccountStatus status,
        EventCounts counts,
        Waits waits) {
    private static final Logger LOG = LoggerFactory.getLogger(Account.class);

    /**
     * How long is waited.
     *
     * @param gateway between connections
     * @param again before a message that was not taken is handed in again, and the like
     * @param failedMillis between looks at what a person has to change
     * @param keepMillis between writes of a position that no message carries
     * @param identifyMillis between two logins of one bucket
     */
    record Waits(
            GatewayMachine.Waits gateway,
            Pauser again,
            long failedMillis,
            long keepMillis,
            long identifyMillis) {
        static final Waits USUAL =
                new Waits(
                        GatewayMachine.Waits.USUAL,
                        new Pauser(1_000, 60_000),
                        60_000,
                        5_000,
                        5_000);
    }

    /** Returns the reader of messages, once it is known who the bot is. */
    MessageReader reader() {
        return new MessageReader(settings, ledger.bot(), directory::ownRole);
    }

    /** Learns where an earlier life was, as often as it takes: the journal may be away. */
    void load(int shard, Heartbeat pulse) throws InterruptedException {
        for (int attempt = 1; !ledger.isLoaded(); attempt++) {
            if (pulse.isStopping()) {
                throw new InterruptedException();
            }
            pulse.beat();
            try {
                ledger.load(context.position());
            } catch (PalyraException e) {
                status.set(shard, State.CONNECTING, e.getMessage(), 0);
                pulse.idle();
                waits.again().pause(attempt);
            }
        }
    }

    /**
     * Hands a message in, as often as it takes.
     *
     * @param source who hands it in, as trouble is told by
     * @param position the position once it is taken
     * @param aside whether its sender can be told alone what the gateway itself answers
     * @throws PalyraException INVALID_ARGUMENT when the gateway finds it malformed
     */
    Acceptance accept(
            String source,
            InboundMessage message,
            Supplier<byte[]> position,
            boolean aside,
            Heartbeat pulse)
            throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            if (pulse.isStopping()) {
                throw new InterruptedException();
            }
            pulse.beat();
            try {
                Acceptance acceptance =
                        aside
                                ? context.acceptAside(message, position.get())
                                : context.accept(message, position.get());
                status.trouble(source, "");
                return acceptance;
            } catch (PalyraException e) {
                if (e.code() == ErrorCode.INVALID_ARGUMENT) {
                    status.trouble(source, "");
                    throw e;
                }
                if (pulse.isStopping()) {
                    throw new InterruptedException();
                }
                LOG.debug("{}: a message is handed in again: {}", settings.id(), e.getMessage());
                status.trouble(source, "A message could not be taken in: " + e.getMessage());
                pulse.idle();
                waits.again().pause(attempt);
            }
        }
    }

    /** Keeps the position if it changed. */
    void keep() {
        ledger.changed()
                .ifPresent(
                        position -> {
                            try {
                                context.keepPosition(position);
                            } catch (PalyraException e) {
                                ledger.unkept();
                                LOG.debug("{}: {}", settings.id(), e.getMessage());
                            }
                        });
    }
}
