package palyra.skills.internal.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code operator}: texts for operators, and the module of a version 2 manifest. */
final class OperatorReader {
    private static final List<String> TYPES =
            List.of("string", "integer", "number", "boolean", "string_list");
    private static final String KEY = "[A-Za-z0-9_.-]{1,100}";
    private static final String SECRET_LIKE = ".*(secret|token|password|api_?key|credential).*";

    private final List<String> texts = new ArrayList<>();
    private final List<String> warnings;
    private final Manifest.Operator operator;
    private Optional<String> module = Optional.empty();
    private Optional<String> entrypoint = Optional.empty();

    OperatorReader(Table root, List<String> warnings) {
        this.warnings = warnings;
        boolean present = root.has("operator");
        Table table = root.table("operator");
        String display = take(table, "display_name", 100);
        String summary = take(table, "summary", 500);
        take(table, "description", 8_000);
        table.texts("categories", 32, ".{1,50}", "text of at most 50 characters");
        table.texts("tags", 64, ".{1,50}", "text of at most 50 characters");
        String docs =
                table.optional("docs_url", "https://[^\\s\\p{Cntrl}]{1,500}", "an https:// address")
                        .orElse("");
        plugin(table.table("plugin"));
        boolean configured = table.has("config");
        boolean properties = config(table.table("config"));
        table.requireNoOthers();
        if (!present) {
            warnings.add("missing_operator_metadata: There is no [operator] section.");
        } else if (display.isEmpty()) {
            warnings.add("missing_operator_display_name: operator.display_name is missing.");
        }
        if (configured && !properties) {
            warnings.add("empty_operator_config_contract: operator.config has no properties.");
        }
        operator = new Manifest.Operator(display, summary, docs, texts);
    }

    private String take(Table table, String key, int most) {
        Optional<String> text = table.optionalWords(key, most);
        text.ifPresent(texts::add);
        return text.orElse("");
    }

    Manifest.Operator operator() {
        return operator;
    }

    /** Returns the module that version 2 names for its tools. */
    Optional<String> module() {
        return module;
    }

    /** Returns the entrypoint that version 2 names for its tools. */
    Optional<String> entrypoint() {
        return entrypoint;
    }

    private void plugin(Table table) {
        table.optional(
                "default_tool_id", ManifestReader.IDENTIFIER, ManifestReader.IDENTIFIER_WORDS);
        module = table.optional("default_module_path", ".{1,255}", "the path of a module");
        entrypoint =
                table.optional("default_entrypoint", "[a-z0-9_-]{1,100}", "the name of an export");
        for (Table contract : table.tables("contracts", 32)) {
            contract.text("kind", ManifestReader.IDENTIFIER, ManifestReader.IDENTIFIER_WORDS);
            contract.number("version", 1, 1, 1_000);
            contract.requireNoOthers();
        }
        table.requireNoOthers();
    }

    private boolean config(Table table) {
        table.number("schema_version", 1, 1, 1);
        List<String> required = table.texts("required", 64, KEY, "names of properties");
        Table properties = table.table("properties");
        List<String> names = properties.names();
        for (String name : names) {
            property(name, properties.table(name));
        }
        for (String name : required) {
            if (!names.contains(name)) {
                throw table.refuse("required", "only names of properties");
            }
        }
        table.requireNoOthers();
        return !names.isEmpty();
    }

    private void property(String name, Table table) {
        String type = table.text("type", String.join("|", TYPES), String.join(", ", TYPES));
        take(table, "title", 100);
        take(table, "description", 2_000);
        boolean redacted = table.flag("redacted", false);
        table.texts("enum_values", 64, ".{0,200}", "text of at most 200 characters");
        JsonNode given = table.any("default");
        if (!given.isMissingNode() && !fits(type, given)) {
            throw table.refuse("default", "a value of type " + type);
        }
        table.requireNoOthers();
        if (!redacted && name.toLowerCase(Locale.ROOT).matches(SECRET_LIKE)) {
            warnings.add(
                    "operator_config_redaction_recommended: operator.config.properties."
                            + name
                            + " sounds like a secret; say redacted = true.");
        }
    }

    private static boolean fits(String type, JsonNode value) {
        return switch (type) {
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> value.isArray();
        };
    }
}
