package palyra.channels.internal;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.channel.Connector;
import palyra.channels.internal.draft.Drafts;
import palyra.shared.hash.Ulids;

/**
 * The connectors that are there. Of two that call themselves by one name the first one works, until
 * it goes. Thread-safe.
 */
final class Channels implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Channels.class);

    private final ChannelServices services;
    private final String owner;
    private final Map<String, Channel> working =
            new ConcurrentSkipListMap<>(); // changed under this, read by any thread
    private final Map<Connector, String> waiting = new IdentityHashMap<>();
    private boolean closed;

    /**
     * Creates it without connectors.
     *
     * @param bootId id of this start of the process, by which leases of a dead one are told; may be
     *     null
     */
    Channels(ChannelServices services, String bootId) {
        this.services = services;
        this.owner = (bootId == null ? "" : bootId) + "/" + new Ulids().next();
    }

    synchronized void add(Connector connector) {
        String name;
        try {
            name = connector.id().toString();
        } catch (RuntimeException e) {
            LOG.error("A connector does not say which one it is, and is not started.", e);
            return;
        }
        if (closed) {
            return;
        }
        if (working.containsKey(name)) {
            LOG.warn("Two connectors call themselves {}; the second one waits.", name);
            waiting.put(connector, name);
            return;
        }
        Channel channel = new Channel(connector, owner, services);
        working.put(name, channel);
        channel.start();
        LOG.info("Connector {} was started.", name);
    }

    /** Returns when nothing of the connector is at work any more. */
    void remove(Connector connector) {
        Channel leaving;
        synchronized (this) {
            waiting.remove(connector);
            leaving =
                    working.values().stream()
                            .filter(channel -> channel.connector() == connector)
                            .findFirst()
                            .orElse(null);
        }
        if (leaving == null) {
            return;
        }
        leaving.close();
        synchronized (this) {
            working.remove(leaving.id().toString());
            LOG.info("Connector {} was stopped.", leaving.id());
            waiting.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(leaving.id().toString()))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .ifPresent(
                            next -> {
                                waiting.remove(next);
                                add(next);
                            });
        }
    }

    synchronized List<Channel> all() {
        return new ArrayList<>(working.values());
    }

    Optional<Channel> find(String name) {
        return Optional.ofNullable(working.get(name));
    }

    /** Returns where answers of a surface go. */
    Optional<Drafts.Outlet> outlet(String surface) {
        return find(surface)
                .map(channel -> new Drafts.Outlet(channel.connector(), channel.dispatcher()));
    }

    void wake(String surface) {
        find(surface).ifPresent(channel -> channel.dispatcher().wake());
    }

    void wakeAll() {
        all().forEach(channel -> channel.dispatcher().wake());
    }

    @Override
    public void close() {
        List<Channel> ending;
        synchronized (this) {
            closed = true;
            ending = new ArrayList<>(working.values());
            working.clear();
            waiting.clear();
        }
        ending.forEach(Channel::close);
    }
}
