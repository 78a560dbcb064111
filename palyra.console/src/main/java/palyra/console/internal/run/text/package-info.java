/** Text of models and people as a subset of Markdown that is no markup. */
package palyra.console.internal.run.text;
