package palyra.models.internal.openai;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.Require;
import palyra.models.internal.http.Endpoint;

/**
 * Validated configuration.
 *
 * @param endpoint the server
 * @param includeUsage whether to ask for usage
 * @param maxTokensField name of the limit of an answer
 * @param parallelToolCalls {@code true}, {@code false}, or {@code default} to say nothing
 */
record OpenAiSettings(
        Endpoint endpoint, boolean includeUsage, String maxTokensField, String parallelToolCalls) {
    OpenAiSettings {
        Require.that(
                Set.of("max_tokens", "max_completion_tokens").contains(maxTokensField),
                "maxTokensField is max_tokens or max_completion_tokens");
        Require.that(
                Set.of("default", "true", "false").contains(parallelToolCalls),
                "parallelToolCalls is default, true or false");
    }

    static OpenAiSettings from(OpenAiConfiguration configuration, Map<String, ?> properties) {
        List<String> headers = new ArrayList<>(List.of(configuration.headers()));
        add("OpenAI-Organization", configuration.organization(), headers);
        add("OpenAI-Project", configuration.project(), headers);
        return new OpenAiSettings(
                new Endpoint(
                        Endpoint.name(properties),
                        Endpoint.baseUrl(configuration.baseUrl(), configuration.allowPlainHttp()),
                        Endpoint.key(configuration.apiKey()),
                        Require.orEmpty(configuration.defaultModel()).strip(),
                        Endpoint.headers(headers.toArray(String[]::new)),
                        new Endpoint.Times(
                                configuration.connectMillis(),
                                configuration.firstTokenMillis(),
                                configuration.betweenTokensMillis(),
                                configuration.totalMillis()),
                        configuration.maxTurns(),
                        configuration.breakerFailures(),
                        configuration.breakerOpenMillis(),
                        List.of(configuration.visionModels())),
                configuration.includeUsage(),
                configuration.maxTokensField(),
                configuration.parallelToolCalls());
    }

    private static void add(String name, String value, List<String> headers) {
        if (!Require.orEmpty(value).isBlank()) {
            headers.add(name + ": " + value.strip());
        }
    }
}
