package palyra.channels.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.channel.Acceptance;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.channels.internal.approval.Cards;
import palyra.channels.internal.dispatch.Dispatcher;
import palyra.channels.internal.route.SenderNames;
import palyra.shared.channel.Positions;
import palyra.shared.connector.Texts;
import palyra.shared.outcome.Commits;
import palyra.shared.vault.SecretUse;

/**
 * One connector at work: it is started with this context, and stopped before this closes. What it
 * calls after that is refused. Thread-safe.
 */
final class Channel implements ConnectorContext, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Channel.class);
    private static final long STATE_MILLIS = 2_000;

    private final Connector connector;
    private final ConnectorId id;
    private final ChannelServices services;
    private final Dispatcher dispatcher;
    private final Map<String, AtomicLong> taken = new ConcurrentHashMap<>();
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();
    private boolean closed; // under life
    private volatile ChannelState state = new ChannelState(ChannelState.Flow.RUNNING, "");
    private volatile long stateReadMillis;

    Channel(Connector connector, String owner, ChannelServices services) {
        this.connector = connector;
        this.id = connector.id();
        this.services = services;
        this.dispatcher =
                new Dispatcher(
                        connector,
                        owner,
                        services.journal(),
                        services.settings(),
                        () -> state().flow() == ChannelState.Flow.PAUSED,
                        services.held(),
                        services.clock());
    }

    /** Begins; a connector that throws is shown as failed by its own status. */
    void start() {
        try {
            connector.start(this);
        } catch (RuntimeException e) {
            LOG.error("Connector {} cannot be started.", id, e);
        }
        dispatcher.start();
    }

    ConnectorId id() {
        return id;
    }

    Connector connector() {
        return connector;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Returns how many messages were taken in, by outcome. */
    Map<String, AtomicLong> taken() {
        return taken;
    }

    /** Returns what an operator lets it do; as it was when the journal could last be read. */
    ChannelState state() {
        long now = services.clock().millis();
        if (now - stateReadMillis > STATE_MILLIS) {
            try {
                state = ChannelState.read(services.journal(), id.toString());
                stateReadMillis = now;
            } catch (PalyraException e) {
                LOG.debug("The state of {} is as it was before.", id, e);
            }
        }
        return state;
    }

    /** Reads the state again and acts on it. */
    void stateChanged() {
        stateReadMillis = 0;
        dispatcher.wake();
    }

    @Override
    public Acceptance accept(InboundMessage message) {
        return accept(message, new byte[0]);
    }

    @Override
    public Acceptance accept(InboundMessage message, byte[] position) {
        return take(message, readable -> services.inbox().accept(id, readable, position));
    }

    @Override
    public Acceptance acceptAside(InboundMessage message, byte[] position) {
        return take(message, readable -> services.inbox().acceptAside(id, readable, position));
    }

    private Acceptance take(InboundMessage message, Function<InboundMessage, Acceptance> into) {
        Require.present(message, "message");
        return whileOpen(
                () -> {
                    if (state().flow() == ChannelState.Flow.DRAINING) {
                        throw new PalyraException(
                                ErrorCode.GATEWAY_UNAVAILABLE,
                                id + " is draining and takes no messages; resume it.");
                    }
                    Acceptance acceptance = into.apply(readable(message));
                    String outcome =
                            acceptance.outcome() == Acceptance.Outcome.IGNORED
                                    ? acceptance.reason()
                                    : acceptance.outcome().name().toLowerCase(Locale.ROOT);
                    taken.computeIfAbsent(outcome, unused -> new AtomicLong()).incrementAndGet();
                    dispatcher.wake();
                    return acceptance;
                });
    }

    /** What the connector cannot fetch is offered to no one. */
    private InboundMessage readable(InboundMessage message) {
        return connector.capabilities().has(Feature.FILES_IN)
                ? message
                : message.withoutReferences();
    }

    @Override
    public void keepPosition(byte[] position) {
        Operation keep = Positions.keep(id.toString(), position);
        whileOpen(() -> Commits.commit(services.journal(), Unit.of(keep)));
    }

    @Override
    public Optional<byte[]> position() {
        return whileOpen(
                () -> services.journal().call(store -> Positions.kept(store, id.toString())));
    }

    @Override
    public String press(InboundAction action) {
        return press(action, "");
    }

    @Override
    public String press(InboundAction action, String reason) {
        Require.present(action, "action");
        String said = Texts.cut(Texts.wellFormed(Require.orEmpty(reason)), MAX_REASON).strip();
        return whileOpen(() -> services.buttons().press(id, action, said));
    }

    @Override
    public boolean asksReason(String data) {
        return Cards.asksReason(data);
    }

    @Override
    public String refusal(String data, Sender sender) {
        Require.present(data, "data of a button");
        Require.present(sender, "sender");
        return whileOpen(() -> services.buttons().refusal(id, data, sender));
    }

    @Override
    public String secret(String reference) {
        SecretRef ref = SecretRef.parse(reference);
        String scope = "channel:" + id;
        if (!ref.scope().equals(scope)) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Connector "
                            + id
                            + " asked for "
                            + reference
                            + ": it may use the secrets of its own scope, vault:"
                            + scope
                            + "/NAME.");
        }
        return whileOpen(
                () -> {
                    SecretUse use =
                            new SecretUse(principal(), Set.of(), "", "", "", "connector", ref);
                    try (Secret secret = services.secrets().lend(use)) {
                        return secret.use(bytes -> new String(bytes, StandardCharsets.UTF_8));
                    }
                });
    }

    @Override
    public String principal() {
        return SenderNames.connector(id);
    }

    private <T> T whileOpen(Supplier<T> call) {
        life.readLock().lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.GATEWAY_UNAVAILABLE,
                        "Connector " + id + " was stopped; nothing was taken.");
            }
            return call.get();
        } finally {
            life.readLock().unlock();
        }
    }

    List<String> waitsFor() {
        return services.absent();
    }

    /** Ends its sends, then stops the connector; waits, bounded, for what is under way. */
    @Override
    public void close() {
        dispatcher.close(); // a send that is under way needs the connector to its end
        try {
            connector.stop();
        } catch (RuntimeException e) {
            LOG.warn("Connector {} failed when it was stopped.", id, e);
        }
        life.writeLock().lock();
        try {
            closed = true;
        } finally {
            life.writeLock().unlock();
        }
    }
}
