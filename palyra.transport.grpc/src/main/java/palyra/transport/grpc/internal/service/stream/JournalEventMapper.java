package palyra.transport.grpc.internal.service.stream;

import com.google.protobuf.UnsafeByteOperations;
import java.util.Locale;
import palyra.api.run.RunEvent;
import palyra.api.tape.TapeEvent;
import palyra.shared.tape.TapeCodec;
import palyra.transport.grpc.internal.service.ApiMapper;
import palyra.transport.grpc.internal.wire.common.JournalEvent;
import palyra.transport.grpc.internal.wire.common.JournalEvent.EventActor;
import palyra.transport.grpc.internal.wire.common.JournalEvent.EventKind;

/** Maps tape records to journal events: type, and payload as canonical JSON. Pure functions. */
final class JournalEventMapper {
    private static final String KIND_PREFIX = "EVENT_KIND_";

    private JournalEventMapper() {}

    /** Returns a record that has no message of its own. */
    static JournalEvent of(RunEvent.Recorded recorded, StreamTarget target) {
        TapeEvent event = recorded.event();
        JournalEvent.Builder wire =
                JournalEvent.newBuilder()
                        .setV(1)
                        .setSessionId(ApiMapper.id(target.sessionId()))
                        .setRunId(ApiMapper.id(target.runId()))
                        .setTimestampUnixMs(recorded.timeMillis())
                        .setRecordType(TapeCodec.type(event));
        switch (event) {
            case TapeEvent.Message message -> message(wire, message.role());
            case TapeEvent.ExternalEvent external ->
                    wire.setEventId(ApiMapper.id(external.eventId()))
                            .setKind(kind(external.kind()))
                            .setActor(actor(external.actor()))
                            .setEventKind(external.kind());
            case TapeEvent.Unknown unknown -> {
                return wire.build();
            }
            default -> wire.setActor(EventActor.EVENT_ACTOR_SYSTEM);
        }
        return wire.setPayloadJson(UnsafeByteOperations.unsafeWrap(TapeCodec.payload(event)))
                .build();
    }

    private static void message(JournalEvent.Builder wire, TapeEvent.Role role) {
        switch (role) {
            case USER ->
                    wire.setActor(EventActor.EVENT_ACTOR_USER)
                            .setKind(EventKind.EVENT_KIND_MESSAGE_RECEIVED);
            case AGENT -> wire.setActor(EventActor.EVENT_ACTOR_AGENT);
            case SYSTEM -> wire.setActor(EventActor.EVENT_ACTOR_SYSTEM);
        }
    }

    private static EventActor actor(String word) {
        return switch (word) {
            case TapeEvent.ExternalEvent.USER -> EventActor.EVENT_ACTOR_USER;
            case TapeEvent.ExternalEvent.PLUGIN -> EventActor.EVENT_ACTOR_PLUGIN;
            default -> EventActor.EVENT_ACTOR_UNSPECIFIED;
        };
    }

    /** A kind that has the name of a number gets that number. */
    private static EventKind kind(String word) {
        for (EventKind kind : EventKind.values()) {
            if (kind.name().equals(KIND_PREFIX + word.toUpperCase(Locale.ROOT))) {
                return kind;
            }
        }
        return EventKind.EVENT_KIND_UNSPECIFIED;
    }
}
