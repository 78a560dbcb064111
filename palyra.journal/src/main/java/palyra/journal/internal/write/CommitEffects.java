package palyra.journal.internal.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.core.journal.FeedItem;

/** What follows when a unit, or a group of units, is durable. */
public final class CommitEffects {
    private final Map<String, Long> advanced = new LinkedHashMap<>();
    private final List<FeedItem> hints = new ArrayList<>();
    private final List<String> unusedFiles = new ArrayList<>();
    private boolean erased;
    private boolean sessions;
    private long payloadBytes;

    /** A stream has a new last record. */
    void advanced(String streamId, long seq, long bytes) {
        advanced.put(streamId, seq);
        payloadBytes += bytes;
    }

    /** Something else happened that listeners want to know. */
    void hint(FeedItem hint) {
        hints.add(hint);
    }

    /** A payload was erased or pages were given back: the log is emptied. */
    void erased() {
        erased = true;
    }

    /** The entry of a session in the index is to be written. */
    void sessionChanged() {
        sessions = true;
    }

    /** No record refers to this file any more. */
    void unused(String sha256) {
        unusedFiles.add(sha256);
    }

    /** Takes over what a unit that stays has caused. */
    void add(CommitEffects unit) {
        advanced.putAll(unit.advanced);
        hints.addAll(unit.hints);
        unusedFiles.addAll(unit.unusedFiles);
        erased |= unit.erased;
        sessions |= unit.sessions;
        payloadBytes += unit.payloadBytes;
    }

    /** Returns the hints: first about new records in the journal, then about work to do. */
    List<FeedItem> items() {
        List<FeedItem> items = new ArrayList<>(advanced.size() + hints.size());
        advanced.forEach((streamId, seq) -> items.add(new FeedItem.Advanced(streamId, seq)));
        items.addAll(hints);
        return items;
    }

    List<String> unusedFiles() {
        return unusedFiles;
    }

    boolean anySessionChanged() {
        return sessions;
    }

    boolean anythingErased() {
        return erased;
    }

    long payloadBytes() {
        return payloadBytes;
    }
}
