package palyra.skills.internal.manifest;

import java.util.List;
import java.util.Map;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;

/**
 * The checked content of a {@code skill.toml}.
 *
 * @param format {@code manifest_version}: 1, 2, 3 or 4
 * @param id skill and version
 * @param name for people
 * @param publisher who makes it
 * @param tools its tools, at least one
 * @param grants what it may reach
 * @param declared capabilities that grant nothing here and are looked at by the audit
 * @param quotas what a call may take
 * @param compat which Palyra it wants
 * @param integrity digest of every other entry by path; empty in a source folder
 * @param experimental whether it has a {@code builder} section
 * @param operator what operators see
 * @param warnings {@code code: sentence}, none of which stops anything
 */
public record Manifest(
        int format,
        SkillId id,
        String name,
        String publisher,
        List<SkillTool> tools,
        SkillGrants grants,
        Declared declared,
        SkillQuotas quotas,
        Compat compat,
        Map<String, String> integrity,
        boolean experimental,
        Operator operator,
        List<String> warnings) {
    /** Copies. */
    public Manifest {
        tools = List.copyOf(tools);
        integrity = Map.copyOf(integrity);
        warnings = List.copyOf(warnings);
    }

    /**
     * Declarations that grant nothing.
     *
     * @param readRoots {@code filesystem.read_roots}
     * @param writeRoots {@code filesystem.write_roots}
     * @param devices {@code device_capabilities}
     * @param nodes {@code node_capabilities}
     * @param wildcards what {@code wildcard_opt_in} sets to true
     */
    public record Declared(
            List<String> readRoots,
            List<String> writeRoots,
            List<String> devices,
            List<String> nodes,
            List<String> wildcards) {
        /** Copies. */
        public Declared {
            readRoots = List.copyOf(readRoots);
            writeRoots = List.copyOf(writeRoots);
            devices = List.copyOf(devices);
            nodes = List.copyOf(nodes);
            wildcards = List.copyOf(wildcards);
        }
    }

    /**
     * The protocol and versions of Palyra that the skill supports.
     *
     * @param protocolMajor version of the skill interface
     * @param minVersion oldest Palyra, a semantic version; empty for any
     * @param maxVersion newest Palyra, not below the oldest; empty for any
     */
    public record Compat(int protocolMajor, String minVersion, String maxVersion) {
        /** Returns which versions of Palyra fit, in words: {@code any} when all do. */
        public String range() {
            if (minVersion.isEmpty()) {
                return maxVersion.isEmpty() ? "any" : "up to " + maxVersion;
            }
            return maxVersion.isEmpty()
                    ? minVersion + " or later"
                    : minVersion + " to " + maxVersion;
        }
    }

    /**
     * Texts for operators.
     *
     * @param displayName empty when not given
     * @param summary empty when not given
     * @param docsUrl https; empty when not given
     * @param texts every free text of the section, for the audit
     */
    public record Operator(String displayName, String summary, String docsUrl, List<String> texts) {
        /** Copies. */
        public Operator {
            texts = List.copyOf(texts);
        }
    }
}
