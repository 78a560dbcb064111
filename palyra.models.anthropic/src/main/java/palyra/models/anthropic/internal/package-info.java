/** Models behind the Messages API of Anthropic. */
package palyra.models.anthropic.internal;
