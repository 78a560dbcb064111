package palyra.skills.internal.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import palyra.api.PalyraException;
import palyra.shared.json.StrictJson;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.model.SkillTool;

/** Reads {@code entrypoints.tools}. */
final class ToolsReader {
    /** Entrypoint of a tool that names none, from version 3 on. */
    static final String ENTRYPOINT = "palyra_call";

    /** Entrypoint of the original's skills. */
    static final String LEGACY_ENTRYPOINT = "run";

    private static final String EXPORT = "[A-Za-z_][A-Za-z0-9_.-]{0,99}";

    /** As tools are named everywhere. */
    private static final String TOOL_ID = "(?=.{1,64}$)[a-z0-9]+([._-][a-z0-9]+)*";

    private static final int MAX_TOOLS = 64;
    private static final int MAX_DESCRIPTION = 4_000;
    private static final int MAX_SCHEMA = 65_536;

    private final int format;
    private final String publisher;
    private final SortedSet<String> modules;
    private final OperatorReader operator;

    ToolsReader(int format, String publisher, SortedSet<String> modules, OperatorReader operator) {
        this.format = format;
        this.publisher = publisher;
        this.modules = modules;
        this.operator = operator;
    }

    List<SkillTool> read(Table entrypoints) {
        List<SkillTool> tools = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Table table : entrypoints.tables("tools", MAX_TOOLS)) {
            SkillTool tool = tool(table);
            table.requireNoOthers();
            if (!ids.add(tool.id())) {
                throw table.refuse("id", "each tool id once");
            }
            tools.add(tool);
        }
        entrypoints.requireNoOthers();
        if (tools.isEmpty()) {
            throw entrypoints.refuse("tools", "at least one tool");
        }
        return tools;
    }

    private SkillTool tool(Table table) {
        String id = table.text("id", TOOL_ID, "up to 64 of a-z 0-9 with single . _ - between");
        if (!id.startsWith(publisher + ".") || id.length() == publisher.length() + 1) {
            throw table.refuse("id", "a name that begins with the publisher: " + publisher + ".…");
        }
        table.optionalWords("name", 100);
        String description = table.words("description", MAX_DESCRIPTION);
        String input = schema(table, "input_schema");
        String output = schema(table, "output_schema");
        Table risk = table.table("risk");
        boolean sensitive = risk.flag("default_sensitive", false);
        boolean approval = risk.flag("requires_approval", false);
        risk.requireNoOthers();
        boolean legacy = format < 3;
        return new SkillTool(
                id,
                description,
                input,
                output,
                legacy ? legacyModule(table) : module(table),
                legacy ? operator.entrypoint().orElse(LEGACY_ENTRYPOINT) : entrypoint(table),
                sensitive,
                approval,
                legacy);
    }

    private static String entrypoint(Table table) {
        return table.optional("entrypoint", EXPORT, "the name of an export").orElse(ENTRYPOINT);
    }

    private String module(Table table) {
        String named = table.optional("module", ".{1,255}", "the path of a module").orElse("");
        return resolve(named, table);
    }

    private String legacyModule(Table table) {
        return resolve(operator.module().orElse(""), table);
    }

    private String resolve(String named, Table table) {
        if (named.isEmpty() && modules.size() == 1) {
            return modules.first();
        }
        if (!modules.contains(named)) {
            throw Table.refuse(
                    named.isEmpty() ? table.path("module") : "module '" + named + "' of a tool",
                    table.any("module"),
                    "one of " + String.join(", ", modules));
        }
        return named;
    }

    /** A schema is a table, or JSON in a text; it says nothing when it is absent. */
    private static String schema(Table table, String key) {
        JsonNode found = table.any(key);
        JsonNode schema = found;
        if (found.isMissingNode()) {
            return "{}";
        }
        if (found.isTextual()) {
            try {
                schema = StrictJson.parse(found.textValue(), table.path(key));
            } catch (PalyraException e) {
                throw new RefusedException(Table.REASON, "skill.toml: " + e.getMessage() + ".", e);
            }
        }
        if (!schema.isObject() || schema.toString().length() > MAX_SCHEMA) {
            throw table.refuse(key, "a JSON Schema that is an object of at most 64 KiB");
        }
        requireLocal(table, key, schema);
        return schema.toString();
    }

    /** Nothing is fetched to understand a schema. */
    private static void requireLocal(Table table, String key, JsonNode schema) {
        for (String word : List.of("$ref", "$dynamicRef", "$recursiveRef")) {
            for (JsonNode each : schema.findValues(word)) {
                if (each.isTextual() && !each.textValue().startsWith("#")) {
                    throw Table.refuse(
                            table.path(key) + " " + word, each, "a reference that begins with #");
                }
            }
        }
    }
}
