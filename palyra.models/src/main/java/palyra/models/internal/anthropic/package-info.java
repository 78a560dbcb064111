/** Models behind the Messages API of Anthropic. */
package palyra.models.internal.anthropic;
