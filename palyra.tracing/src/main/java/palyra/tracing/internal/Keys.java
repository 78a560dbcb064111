package palyra.tracing.internal;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * All attributes that a span may have. Texts are ids, codes and names out of the configuration: a
 * value of another form is written {@value #OTHER}, so nothing that a person, a model or a tool
 * wrote leaves the gateway with a trace.
 */
final class Keys {
    /** In place of a value that is no id, code or name. */
    static final String OTHER = "other";

    static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("palyra.message.id");
    static final AttributeKey<String> RUN = AttributeKey.stringKey("palyra.run.id");
    static final AttributeKey<String> SESSION = AttributeKey.stringKey("palyra.session.id");
    static final AttributeKey<String> AGENT = AttributeKey.stringKey("palyra.agent.id");
    static final AttributeKey<String> SURFACE = AttributeKey.stringKey("palyra.surface");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("palyra.outcome");
    static final AttributeKey<String> CODE = AttributeKey.stringKey("palyra.code");
    static final AttributeKey<Long> LEFT_OUT = AttributeKey.longKey("palyra.spans.left_out");
    static final AttributeKey<Long> OPEN_SENDS = AttributeKey.longKey("palyra.sends.open");
    static final AttributeKey<Long> TURN = AttributeKey.longKey("palyra.turn");
    static final AttributeKey<Long> ATTEMPTS = AttributeKey.longKey("palyra.attempts");
    static final AttributeKey<Long> PARTS = AttributeKey.longKey("palyra.send.parts");
    static final AttributeKey<String> OUTBOX = AttributeKey.stringKey("palyra.outbox.id");
    static final AttributeKey<String> APPROVAL = AttributeKey.stringKey("palyra.approval.id");
    static final AttributeKey<Long> QUORUM = AttributeKey.longKey("palyra.approval.quorum");
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
    static final AttributeKey<String> PROVIDER = AttributeKey.stringKey("gen_ai.provider.name");
    static final AttributeKey<String> MODEL = AttributeKey.stringKey("gen_ai.request.model");
    static final AttributeKey<Long> INPUT = AttributeKey.longKey("gen_ai.usage.input_tokens");
    static final AttributeKey<Long> OUTPUT = AttributeKey.longKey("gen_ai.usage.output_tokens");
    static final AttributeKey<Long> CACHED =
            AttributeKey.longKey("gen_ai.usage.cache_read.input_tokens");
    static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    static final AttributeKey<String> CALL = AttributeKey.stringKey("gen_ai.tool.call.id");

    /** What the exporter writes; a span's other attributes stay here. */
    static final Set<AttributeKey<?>> ALL =
            Set.of(
                    MESSAGE,
                    RUN,
                    SESSION,
                    AGENT,
                    SURFACE,
                    OUTCOME,
                    CODE,
                    LEFT_OUT,
                    OPEN_SENDS,
                    TURN,
                    ATTEMPTS,
                    PARTS,
                    OUTBOX,
                    APPROVAL,
                    QUORUM,
                    OPERATION,
                    PROVIDER,
                    MODEL,
                    INPUT,
                    OUTPUT,
                    CACHED,
                    TOOL,
                    CALL);

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/+-]{0,127}");

    private Keys() {}

    /** Returns an id, code or name as it is, and {@value #OTHER} for any other text. */
    static String word(String text) {
        return WORD.matcher(text).matches() ? text : OTHER;
    }

    /** Collects attributes; empty texts are left out. */
    static final class Facts {
        private final AttributesBuilder all = Attributes.builder();

        Facts put(AttributeKey<String> key, String value) {
            if (!value.isEmpty()) {
                all.put(key, word(value));
            }
            return this;
        }

        Facts put(AttributeKey<Long> key, long value) {
            all.put(key, value);
            return this;
        }

        Attributes done() {
            return all.build();
        }
    }
}
