package palyra.channels.internal.route;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.run.WhileRunning;

/** One configured rule. */
@Component(
        name = RouteConfiguration.PID,
        configurationPid = RouteConfiguration.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = RouteComponent.class)
@Designate(ocd = RouteConfiguration.class, factory = true)
public final class RouteComponent {
    private final RouteRule rule;

    /** Called by the component runtime. */
    @Activate
    public RouteComponent(RouteConfiguration configuration, Map<String, Object> properties) {
        this(configuration, name(String.valueOf(properties.get("service.pid"))));
    }

    RouteComponent(RouteConfiguration configuration, String name) {
        rule =
                new RouteRule(
                        name,
                        configuration.priority(),
                        List.of(configuration.connectors()),
                        Set.copyOf(List.of(configuration.conversations())),
                        configuration.enabled(),
                        List.of(configuration.mentionPatterns()),
                        Set.copyOf(List.of(configuration.allowFrom())),
                        Set.copyOf(List.of(configuration.denyFrom())),
                        RouteRule.DirectMessages.valueOf(upper(configuration.directMessages())),
                        RouteRule.Broadcast.valueOf(upper(configuration.broadcast())),
                        configuration.isolateSenders(),
                        configuration.answerBots(),
                        configuration.agent(),
                        configuration.responsePrefix(),
                        configuration.quote(),
                        WhileRunning.valueOf(upper(configuration.whileRunning())),
                        configuration.concurrency(),
                        configuration.streamAnswers(),
                        configuration.commands(),
                        configuration.stateReactions(),
                        configuration.typing(),
                        configuration.threads());
    }

    /** Returns the name of a rule by its PID. */
    public static String name(String pid) {
        return pid.substring(pid.indexOf('~') + 1);
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    /** Returns the rule. */
    public RouteRule rule() {
        return rule;
    }
}
