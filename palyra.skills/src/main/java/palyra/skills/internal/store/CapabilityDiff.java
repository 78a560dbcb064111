package palyra.skills.internal.store;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import palyra.skills.internal.manifest.Manifest;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;

/** The capabilities of a version as lines, and the difference of two versions. */
public final class CapabilityDiff {
    private CapabilityDiff() {}

    /** Returns the lines of a manifest: tools, grants, quotas. */
    public static List<String> lines(Manifest manifest) {
        List<String> lines = new ArrayList<>();
        for (SkillTool tool : manifest.tools()) {
            lines.add(
                    "tool "
                            + tool.id()
                            + (tool.sensitive() ? " (sensitive)" : "")
                            + (tool.requiresApproval() ? " (asks for approval)" : ""));
        }
        SkillGrants grants = manifest.grants();
        grants.httpHosts().forEach(host -> lines.add("connects to " + host));
        for (SkillGrants.SecretGrant secret : grants.secrets()) {
            lines.add(
                    (secret.value() ? "reads the secret " : "uses the secret ")
                            + secret.scope()
                            + (secret.scope().endsWith(":") ? "" : "/")
                            + secret.key()
                            + (secret.hosts().isEmpty()
                                    ? ", which goes to no host"
                                    : ", which may go to " + String.join(", ", secret.hosts())));
        }
        for (SkillGrants.StorageGrant storage : grants.storage()) {
            lines.add(
                    (storage.write() ? "keeps data under " : "reads data under ")
                            + storage.prefix()
                            + ", at most "
                            + storage.maxBytes()
                            + " bytes");
        }
        grants.channels().forEach(channel -> lines.add("sends to " + channel));
        grants.readChannels().forEach(channel -> lines.add("reads conversations of " + channel));
        manifest.declared().devices().forEach(name -> lines.add("wants the device " + name));
        manifest.declared().nodes().forEach(name -> lines.add("wants the node " + name));
        manifest.declared().wildcards().forEach(name -> lines.add("wants wildcards for " + name));
        SkillQuotas quotas = manifest.quotas();
        lines.add("runs at most " + quotas.timeoutMillis() + " ms a call");
        lines.add("uses at most " + quotas.fuel() + " fuel a call");
        lines.add("takes at most " + quotas.memoryBytes() + " bytes of memory");
        return lines;
    }

    /** Returns removed capabilities as {@code - line}, then new ones as {@code + line}. */
    public static List<String> between(List<String> before, List<String> after) {
        Set<String> gone = new LinkedHashSet<>(before);
        after.forEach(gone::remove);
        Set<String> added = new LinkedHashSet<>(after);
        before.forEach(added::remove);
        List<String> lines = new ArrayList<>();
        gone.forEach(line -> lines.add("- " + line));
        added.forEach(line -> lines.add("+ " + line));
        return lines;
    }
}
