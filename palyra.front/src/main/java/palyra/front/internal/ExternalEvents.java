package palyra.front.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.AppendedEvent;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.outcome.Commits;
import palyra.shared.sealed.RunSecretStore;
import palyra.shared.sealed.RunSecrets;
import palyra.shared.sealed.SecretReaches;

/** Puts events of clients on a run's tape, or into the journal once the tape is sealed. */
final class ExternalEvents {
    static final String TYPE = "external_event";

    private static final Set<String> ACTORS =
            Set.of("", TapeEvent.ExternalEvent.USER, TapeEvent.ExternalEvent.PLUGIN);
    private static final String ACTOR = "actor";
    private static final int LARGEST_BYTES = 65_536;
    private static final int PAGE = 500;
    private static final String EVENT_ID = "eventId";
    private static final String STREAM = "stream";
    private static final String AFTER = "after";

    private final Gate<Journal> journal;
    private final RunSecretStore secrets;

    ExternalEvents(Gate<Journal> journal, RunSecretStore secrets) {
        this.journal = journal;
        this.secrets = secrets;
    }

    /** Refuses what cannot be an event, before anything is asked or read. */
    static void require(String eventId, String kind, String contentJson, String actor) {
        Require.that(
                ACTORS.contains(actor),
                "the actor of an event is '" + actor + "': use user or plugin, or leave it out");
        Ulids.require(eventId, "event id");
        Require.that(
                kind != null && kind.matches("[a-z][a-z0-9_.-]{0,63}"),
                "event kind '"
                        + kind
                        + "' is not usable: a lower-case word such as note, at most 64 characters");
        int bytes =
                Require.present(contentJson, "event content")
                        .getBytes(StandardCharsets.UTF_8)
                        .length;
        Require.that(
                bytes <= LARGEST_BYTES,
                "the event has "
                        + bytes
                        + " bytes; at most "
                        + LARGEST_BYTES
                        + " are accepted; refer to larger content by a link");
        StrictJson.parse(contentJson, "the event");
    }

    /** Appends without secrets; those of a run that has not ended are kept sealed on its tape. */
    AppendedEvent append(
            Principal principal,
            RunRow run,
            String eventId,
            String kind,
            String contentJson,
            String actor,
            Authorized authorized) {
        RunSecrets.Prepared prepared =
                secrets.of(
                                run.runId(),
                                SecretReaches.of(
                                        principal.id(), principal.groups(), run.agentId(), ""))
                        .prepare(
                                List.of(
                                        new TapeEvent.ExternalEvent(
                                                eventId,
                                                kind,
                                                principal.id(),
                                                contentJson,
                                                actor)));
        TapeEvent.ExternalEvent event = (TapeEvent.ExternalEvent) prepared.events().get(0);
        if (!run.state().terminal()) {
            try {
                return commit(run.runId(), prepared.appends().get(0), event, authorized);
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.CONFLICT || !endedMeanwhile(run.runId())) {
                    throw e;
                }
            }
        }
        return commit(run.runId(), afterTheEnd(run.runId(), event), event, authorized);
    }

    private boolean endedMeanwhile(String runId) {
        return journal.call(present -> present.run(runId))
                .filter(run -> run.state().terminal())
                .isPresent();
    }

    private static Operation.Append afterTheEnd(String runId, TapeEvent.ExternalEvent event) {
        ObjectNode payload =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("runId", runId)
                        .put(EVENT_ID, event.eventId())
                        .put("kind", event.kind())
                        .put("principal", event.principal())
                        .put("contentJson", event.contentJson());
        if (!event.actor().isEmpty()) {
            payload.put(ACTOR, event.actor());
        }
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, TYPE, 1, Jcs.bytes(payload));
    }

    /** One event id is one event, wherever it went the first time. */
    private AppendedEvent commit(
            String runId,
            Operation.Append append,
            TapeEvent.ExternalEvent event,
            Authorized authorized) {
        IdempotencyKey once =
                new IdempotencyKey(
                        "event.append/" + event.principal() + "/" + runId,
                        event.eventId(),
                        digest(event));
        long after = journal.call(present -> present.headSeq(append.streamId()));
        Unit unit =
                Unit.builder()
                        .once(once, answer(append.streamId(), after))
                        .add(append)
                        .add(authorized.record())
                        .build();
        Committed committed = Commits.commit(journal, unit);
        if (committed.replayed()) {
            return find(event.eventId(), committed.result());
        }
        return appended(event.eventId(), append.streamId(), committed.appended().get(0).seq());
    }

    /**
     * Without an actor as it was before there was one: an event that is sent again stays the same.
     */
    private static String digest(TapeEvent.ExternalEvent event) {
        Digests digest =
                Digests.tagged("palyra.event.append.v1").lp(event.kind()).lp(event.contentJson());
        return Digests.hex((event.actor().isEmpty() ? digest : digest.lp(event.actor())).bytes());
    }

    private static AppendedEvent appended(String eventId, String streamId, long seq) {
        return new AppendedEvent(eventId, !streamId.equals(TapeRecord.JOURNAL_STREAM), seq);
    }

    /** The place is not known when the answer is stored; where to begin looking is. */
    private static byte[] answer(String streamId, long after) {
        return Jcs.bytes(
                JsonNodeFactory.instance.objectNode().put(STREAM, streamId).put(AFTER, after));
    }

    private AppendedEvent find(String eventId, byte[] answer) {
        JsonNode stored = StrictJson.parse(answer, "the stored answer");
        String streamId = stored.path(STREAM).asText();
        long after = stored.path(AFTER).asLong();
        List<TapeRecord> page;
        do {
            long from = after;
            page = journal.call(present -> present.tape(streamId, from, PAGE));
            for (TapeRecord record : page) {
                if (record.type().equals(TYPE) && isOf(eventId, record)) {
                    return appended(eventId, streamId, record.seq());
                }
                after = record.seq();
            }
        } while (!page.isEmpty());
        throw new PalyraException(
                ErrorCode.NOT_FOUND,
                "Event "
                        + eventId
                        + " was accepted before, but its content has been erased since.");
    }

    private static boolean isOf(String eventId, TapeRecord record) {
        return record.payloadIfKept()
                .map(payload -> StrictJson.parse(payload, "the payload").path(EVENT_ID).asText())
                .filter(eventId::equals)
                .isPresent();
    }
}
