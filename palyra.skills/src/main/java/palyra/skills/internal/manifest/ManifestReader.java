package palyra.skills.internal.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.model.SkillId;

/**
 * Reads {@code skill.toml} (TOML 1.0), manifest versions 1 to 4. Unknown keys are refused with
 * their path. Thread-safe.
 */
public final class ManifestReader {
    /** Largest manifest, in bytes. */
    public static final int MAX_BYTES = 262_144;

    /** Version of the interface between skills and gateway that this Palyra has. */
    public static final int PROTOCOL_MAJOR = 1;

    static final String IDENTIFIER = "[a-z0-9][a-z0-9._:-]{0,99}";
    static final String IDENTIFIER_WORDS =
            "up to 100 of lower-case letters, digits and . _ : -, beginning with a letter or digit";
    private static final String SHA256 = "[0-9a-f]{64}";
    private static final String MAX_PALYRA_VERSION = "max_palyra_version";
    private static final int MAX_FILES = 256;
    private static final TomlMapper TOML = TomlMapper.builder().build();

    private ManifestReader() {}

    /**
     * Reads a manifest.
     *
     * @param modules paths of the modules beside it, for tools that name none
     * @throws RefusedException {@code manifest_invalid} with key, found value and allowed values
     */
    public static Manifest read(byte[] toml, Iterable<String> modules) {
        Table root = new Table(parse(toml), "");
        List<String> warnings = new ArrayList<>();
        int format = (int) root.number("manifest_version", 0, 1, 4);
        if (format == 0) {
            throw root.refuse("manifest_version", "4, or 3, 2 and 1 of older skills");
        }
        if (format == 1) {
            warnings.add("legacy_manifest_version: manifest_version 1 is old; write 4.");
        }
        SkillId id =
                new SkillId(
                        root.text("skill_id", IDENTIFIER, IDENTIFIER_WORDS),
                        root.text("version", SemanticVersion.NUMBERS, "x.y.z, such as 1.0.0"));
        String name = root.words("name", 100);
        String publisher = root.text("publisher", IDENTIFIER, IDENTIFIER_WORDS);
        OperatorReader operator = new OperatorReader(root, warnings);
        CapabilitiesReader capabilities =
                new CapabilitiesReader(root.table("capabilities"), format, warnings);
        ToolsReader tools =
                new ToolsReader(format, publisher, new TreeSet<>(list(modules)), operator);
        Manifest manifest =
                new Manifest(
                        format,
                        id,
                        name,
                        publisher,
                        tools.read(root.table("entrypoints")),
                        capabilities.grants(),
                        capabilities.declared(),
                        capabilities.quotas(),
                        compat(root.table("compat")),
                        integrity(root.table("integrity")),
                        builder(root),
                        operator.operator(),
                        warnings);
        root.requireNoOthers();
        return manifest;
    }

    private static List<String> list(Iterable<String> each) {
        List<String> all = new ArrayList<>();
        each.forEach(all::add);
        return all;
    }

    private static JsonNode parse(byte[] toml) {
        if (toml.length > MAX_BYTES) {
            throw new RefusedException(
                    Table.REASON,
                    "skill.toml has " + toml.length + " bytes; at most " + MAX_BYTES + " fit.");
        }
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(toml)).toString();
            return TOML.readTree(text);
        } catch (CharacterCodingException e) {
            throw new RefusedException(Table.REASON, "skill.toml is not UTF-8; save it so.", e);
        } catch (JsonProcessingException e) {
            String found = e.getOriginalMessage().lines().findFirst().orElse("unreadable");
            String where =
                    e.getLocation() == null
                            ? ""
                            : " in line "
                                    + e.getLocation().getLineNr()
                                    + ", column "
                                    + e.getLocation().getColumnNr();
            throw new RefusedException(
                    Table.REASON,
                    "skill.toml is not valid TOML 1.0" + where + ": " + found + ".",
                    e);
        } catch (IOException e) {
            throw new RefusedException(Table.REASON, "skill.toml cannot be read.", e);
        }
    }

    private static Manifest.Compat compat(Table table) {
        String protocol = alias(table, "required_protocol_major", "min_protocol_major");
        String minimum = alias(table, "min_palyra_version", "min_runtime_version");
        long major = table.number(protocol, PROTOCOL_MAJOR, 1, 1_000);
        if (major != PROTOCOL_MAJOR) {
            throw table.refuse(protocol, PROTOCOL_MAJOR + ", the protocol of this Palyra");
        }
        Manifest.Compat compat =
                new Manifest.Compat(
                        (int) major, palyra(table, minimum), palyra(table, MAX_PALYRA_VERSION));
        requireOrder(table, compat);
        table.requireNoOthers();
        return compat;
    }

    private static String palyra(Table table, String key) {
        return table.optional(
                        key,
                        SemanticVersion.PATTERN,
                        "a version x.y.z of Palyra, such as 0.1.0 or 1.0.0-rc.1")
                .orElse("");
    }

    private static void requireOrder(Table table, Manifest.Compat compat) {
        boolean both = !compat.minVersion().isEmpty() && !compat.maxVersion().isEmpty();
        if (both
                && SemanticVersion.of(compat.minVersion())
                                .compareTo(SemanticVersion.of(compat.maxVersion()))
                        > 0) {
            throw table.refuse(
                    MAX_PALYRA_VERSION, "a version that is not below " + compat.minVersion());
        }
    }

    private static String alias(Table table, String name, String old) {
        if (table.has(name) && table.has(old)) {
            throw table.refuse(old, "only one of " + name + " and " + old);
        }
        return table.has(old) ? old : name;
    }

    private static Map<String, String> integrity(Table table) {
        Map<String, String> digests = new TreeMap<>();
        for (Table file : table.tables("files", MAX_FILES)) {
            String path = file.text("path", "[^\\p{Cntrl}]{1,255}", "a path");
            String digest = file.text("sha256", SHA256, "64 digits of lower-case hex");
            file.requireNoOthers();
            if (digests.put(path, digest) != null) {
                throw file.refuse("path", "each path once");
            }
        }
        table.requireNoOthers();
        return digests;
    }

    /** Metadata of a skill generator; it is validated, and only shown to people. */
    private static boolean builder(Table root) {
        boolean present = root.has("builder");
        Table builder = root.table("builder");
        boolean experimental = builder.flag("experimental", false);
        if (present && !experimental) {
            throw builder.refuse("experimental", "true");
        }
        for (String key : List.of("source_kind", "source_ref", "rollout_flag", "review_status")) {
            builder.optionalWords(key, 500);
        }
        Table checklist = builder.table("checklist");
        for (String key :
                List.of(
                        "capability_declaration_path",
                        "provenance_path",
                        "test_harness_path",
                        "review_notes")) {
            checklist.optionalWords(key, 2_000);
        }
        checklist.requireNoOthers();
        builder.requireNoOthers();
        return present;
    }
}
