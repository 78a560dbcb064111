package palyra.models.internal.anthropic;

import palyra.testing.model.RemoteAnswerContract;
import palyra.testing.model.RemoteDialect;

class AnthropicAnswerTest extends RemoteAnswerContract {
    @Override
    protected RemoteDialect dialect() {
        return new AnthropicStage();
    }
}
