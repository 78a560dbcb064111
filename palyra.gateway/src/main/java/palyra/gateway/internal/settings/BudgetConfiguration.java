package palyra.gateway.internal.settings;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** Configuration {@code palyra.gateway.budget~NAME}. */
@ObjectClassDefinition(
        id = "palyra.gateway.budget",
        name = "Palyra budget",
        description = "How much may be spent on models.")
public @interface BudgetConfiguration {
    /** See {@link Budget#who}. */
    @AttributeDefinition(
            name = "Who",
            description =
                    "all, for one account that all runs share, or principal:, agent: or channel:"
                            + " and a name in which * matches any text: each match has"
                            + " an account.")
    String who();

    /** See {@link Budget#per}. */
    @AttributeDefinition(
            name = "Per",
            description = "Whether accounts are for a run or for a day by the calendar of UTC.",
            options = {
                @Option(label = "Run", value = "run"),
                @Option(label = "Day", value = "day")
            })
    String per() default "day";

    /** Tokens. */
    @AttributeDefinition(
            name = "Tokens",
            description = "Most tokens read and written; 0 for any number.",
            min = "0",
            max = "1000000000000000")
    long maxTokens() default 0;

    /** Money. */
    @AttributeDefinition(
            name = "Cost",
            description =
                    "Most money, a decimal number such as 5.00 in the currency of palyra.gateway;"
                            + " empty for any amount. Models without a price are then refused.")
    String maxCost() default "";

    /** Calls. */
    @AttributeDefinition(
            name = "Calls",
            description = "How often a model may be asked; 0 for any number.",
            min = "0",
            max = "1000000000000")
    long maxCalls() default 0;
}
