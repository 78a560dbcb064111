package palyra.models.internal.openai;

import palyra.testing.model.RemoteAnswerContract;
import palyra.testing.model.RemoteDialect;

class OpenAiAnswerTest extends RemoteAnswerContract {
    @Override
    protected RemoteDialect dialect() {
        return new OpenAiStage();
    }
}
