package palyra.shared.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.SpecVersionDetector;
import com.networknt.schema.ValidationMessage;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.resource.DisallowSchemaLoader;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.json.StrictJson;

/**
 * A JSON Schema of a tool: draft 2020-12 unless {@code $schema} names an older one. References
 * reach places in the same schema only. Patterns are bounded in steps. Thread-safe.
 */
public final class Schema {
    private static final int MOST_STEPS = 5_000_000;
    private static final int MOST_SHOWN = 300;

    private final String what;
    private final JsonNode source;
    private final JsonSchema schema;

    private Schema(String what, JsonNode source, JsonSchema schema) {
        this.what = what;
        this.source = source;
        this.schema = schema;
    }

    /**
     * Reads a schema.
     *
     * @param what what it describes, such as {@code the input of acme.weather.get}
     * @throws PalyraException INVALID_ARGUMENT when it is no schema, or refers to another one
     */
    public static Schema of(String what, String json) {
        JsonNode node = StrictJson.parse(json, "the schema of " + what);
        try {
            VersionFlag version =
                    SpecVersionDetector.detectOptionalVersion(node, false)
                            .orElse(VersionFlag.V202012);
            JsonSchemaFactory factory =
                    JsonSchemaFactory.getInstance(
                            version,
                            builder ->
                                    builder.schemaLoaders(
                                            loaders ->
                                                    loaders.add(
                                                            DisallowSchemaLoader.getInstance())));
            JsonSchema schema = factory.getSchema(node, configuration());
            schema.initializeValidators();
            return new Schema(what, node, schema);
        } catch (StackOverflowError e) {
            throw unusable(what, "it is nested without an end", null);
        } catch (PalyraException e) {
            throw e;
        } catch (RuntimeException e) {
            throw unusable(what, String.valueOf(e.getMessage()), e);
        }
    }

    private static PalyraException unusable(String what, String why, Throwable cause) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "The schema of " + what + " is not usable: " + shown(why) + ".",
                cause);
    }

    private static SchemaValidatorsConfig configuration() {
        return SchemaValidatorsConfig.builder()
                .locale(Locale.ENGLISH)
                .failFast(true)
                .preloadJsonSchema(true)
                .regularExpressionFactory(Schema::bounded)
                .build();
    }

    private static RegularExpression bounded(String regex) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("pattern '" + regex + "': " + e.getDescription(), e);
        }
        return value -> pattern.matcher(new BoundedText(value, MOST_STEPS)).find();
    }

    /** Returns the violation of a value, path first; empty when it is valid. */
    public Optional<String> problem(JsonNode value) {
        return problem(value, this::violation);
    }

    /**
     * Returns what is wrong with the input of a tool, in the words of who sent it: the field, what
     * it has, and what to send. Empty when it is valid.
     *
     * @param tool name of the tool
     */
    public Optional<String> problemOfInput(String tool, JsonNode input) {
        InputWords words = new InputWords(tool, source);
        return problem(
                input, message -> words.of(message, input).orElseGet(() -> violation(message)));
    }

    private String violation(ValidationMessage message) {
        return what + " does not fit its schema: " + shown(located(message.getMessage()));
    }

    private Optional<String> problem(JsonNode value, Function<ValidationMessage, String> words) {
        try {
            Set<ValidationMessage> messages = schema.validate(value);
            return messages.stream().findFirst().map(words);
        } catch (StackOverflowError e) {
            return Optional.of(
                    what + " cannot be checked: its schema refers to itself without an end");
        } catch (PalyraException e) {
            return Optional.of(what + " cannot be checked: " + e.getMessage());
        } catch (RuntimeException e) {
            return Optional.of(
                    what + " cannot be checked: " + shown(String.valueOf(e.getMessage())));
        }
    }

    /** Of the value as a whole the path is empty. */
    private static String located(String message) {
        return message.startsWith(": ") ? message.substring(2) : message;
    }

    private static String shown(String text) {
        String printable = text.replaceAll("\\p{Cntrl}", " ");
        return printable.length() > MOST_SHOWN
                ? printable.substring(0, MOST_SHOWN) + "…"
                : printable;
    }
}
