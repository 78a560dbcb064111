package palyra.models.anthropic.internal;

import palyra.testing.model.RemoteAnswerContract;
import palyra.testing.model.RemoteDialect;

class AnthropicAnswerTest extends RemoteAnswerContract {
    @Override
    protected RemoteDialect dialect() {
        return new AnthropicStage();
    }
}
