package palyra.skills.internal.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.model.SkillId;

/**
 * The version of this Palyra, and whether a skill supports it.
 *
 * @param text as the bundle has it
 * @param version the same, to compare
 */
public record GatewayVersion(String text, SemanticVersion version) {
    /** The skill wants a later Palyra. */
    public static final String TOO_OLD = "palyra_too_old";

    /** The skill wants an earlier Palyra. */
    public static final String TOO_NEW = "palyra_too_new";

    private static final String RESOURCE = "/palyra/skills/version";

    /** OSGi Core, §3.2.5: three numbers and a qualifier. */
    private static final Pattern BUNDLE =
            Pattern.compile(
                    "(?<numbers>"
                            + SemanticVersion.NUMBERS
                            + ")(?:\\.(?<qualifier>[0-9A-Za-z_-]+))?");

    private static final Pattern PRE_RELEASE =
            Pattern.compile("(?i)(alpha|beta|rc|m)(?:[-_]?([0-9]{1,9}))?");

    /** Checks. */
    public GatewayVersion {
        Require.text(text, "version of the gateway");
        Require.present(version, "version of the gateway");
    }

    /**
     * Returns what the version of a bundle means. A qualifier that names an alpha, a beta, a
     * milestone or a release candidate is a pre-release; any other, such as {@code SNAPSHOT}, is a
     * build of the version before it.
     */
    public static GatewayVersion of(String bundleVersion) {
        Matcher found = BUNDLE.matcher(Require.present(bundleVersion, "version of a bundle"));
        Require.that(found.matches(), "'" + bundleVersion + "' is not the version of a bundle");
        SemanticVersion numbers = SemanticVersion.of(found.group("numbers"));
        String qualifier = found.group("qualifier");
        return new GatewayVersion(
                bundleVersion,
                new SemanticVersion(
                        numbers.major(),
                        numbers.minor(),
                        numbers.patch(),
                        preRelease(qualifier == null ? "" : qualifier)));
    }

    /** Returns the version that the build wrote into this bundle, for use without a framework. */
    public static GatewayVersion ofBuild() {
        try (InputStream in = GatewayVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new PalyraException(
                        ErrorCode.INTERNAL,
                        "This program has no resource " + RESOURCE + ". Install Palyra again.");
            }
            return of(new String(in.readNBytes(200), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INTERNAL, "The resource " + RESOURCE + " cannot be read.", e);
        }
    }

    private static List<String> preRelease(String qualifier) {
        Matcher found = PRE_RELEASE.matcher(qualifier);
        if (!found.matches()) {
            return List.of();
        }
        String name = found.group(1).toLowerCase(Locale.ROOT);
        return found.group(2) == null
                ? List.of(name)
                : List.of(name, Integer.toString(Integer.parseInt(found.group(2))));
    }

    /** Returns why a skill is not made for this Palyra; empty when it is. */
    public Optional<RefusedException> objection(SkillId skill, Manifest.Compat compat) {
        if (!compat.minVersion().isEmpty()
                && version.compareTo(SemanticVersion.of(compat.minVersion())) < 0) {
            return Optional.of(
                    refusal(
                            TOO_OLD,
                            skill,
                            compat,
                            "Update the gateway, or take a version of the skill that fits."));
        }
        if (!compat.maxVersion().isEmpty()
                && version.compareTo(SemanticVersion.of(compat.maxVersion())) > 0) {
            return Optional.of(
                    refusal(
                            TOO_NEW,
                            skill,
                            compat,
                            "Take a later version of the skill, or ask its publisher for one."));
        }
        return Optional.empty();
    }

    private RefusedException refusal(
            String reason, SkillId skill, Manifest.Compat compat, String advice) {
        return new RefusedException(
                reason,
                skill
                        + " is made for Palyra "
                        + compat.range()
                        + ", and this is Palyra "
                        + text
                        + ". "
                        + advice);
    }

    /**
     * Refuses a skill that is not made for this Palyra.
     *
     * @throws RefusedException {@link #TOO_OLD} or {@link #TOO_NEW}
     */
    public void requireFit(Manifest manifest) {
        Optional<RefusedException> objection = objection(manifest.id(), manifest.compat());
        if (objection.isPresent()) {
            throw objection.get();
        }
    }
}
