package palyra.skills.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of installed skills. */
@ObjectClassDefinition(
        name = "Palyra skills",
        description = "Which skills may be installed, and how often they are audited again.")
public @interface SkillsConfiguration {
    /** How often active skills are audited again. */
    @AttributeDefinition(
            name = "Re-audit interval",
            description =
                    "After how many milliseconds active skills are audited again; 0 means never.",
            min = "0",
            max = "2592000000")
    long reauditMillis() default 21_600_000;

    /** Trust on first use. */
    @AttributeDefinition(
            name = "Trust on first use",
            description =
                    "Whether installing the first skill of an unknown publisher pins the publisher to"
                            + " its key. Only an operator can install.")
    boolean allowTofu() default true;

    /** How many versions may be installed. */
    @AttributeDefinition(
            name = "Most versions",
            description = "How many versions of skills may be installed in all.",
            min = "1",
            max = "400")
    int maxInstalled() default 200;
}
