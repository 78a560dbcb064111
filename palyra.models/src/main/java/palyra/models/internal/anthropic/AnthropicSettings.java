package palyra.models.internal.anthropic;

import java.util.List;
import java.util.Map;
import palyra.api.Require;
import palyra.models.internal.http.Endpoint;

/**
 * Validated configuration.
 *
 * @param endpoint the server
 * @param maxTokens most tokens of an answer where a request names no limit
 * @param version version of the API
 */
record AnthropicSettings(Endpoint endpoint, int maxTokens, String version) {
    AnthropicSettings {
        Require.that(maxTokens >= 1, "maxTokens is at least 1");
        Require.that(
                version != null && version.matches("[0-9A-Za-z-]{1,32}"),
                "version is a date such as 2023-06-01");
    }

    static AnthropicSettings from(AnthropicConfiguration configuration, Map<String, ?> properties) {
        return new AnthropicSettings(
                new Endpoint(
                        Endpoint.name(properties),
                        Endpoint.baseUrl(configuration.baseUrl(), configuration.allowPlainHttp()),
                        Endpoint.key(configuration.apiKey()),
                        Require.orEmpty(configuration.defaultModel()).strip(),
                        Endpoint.headers(configuration.headers()),
                        new Endpoint.Times(
                                configuration.connectMillis(),
                                configuration.firstTokenMillis(),
                                configuration.betweenTokensMillis(),
                                configuration.totalMillis()),
                        configuration.maxTurns(),
                        configuration.breakerFailures(),
                        configuration.breakerOpenMillis(),
                        List.of(configuration.visionModels())),
                configuration.maxTokens(),
                configuration.version());
    }
}
