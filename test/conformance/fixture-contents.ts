/** One red pixel. */
export const image = {
  type: "image",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  mimeType: "image/png",
};

/** A WAV file without samples. */
export const audio = {
  type: "audio",
  data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=",
  mimeType: "audio/wav",
};

export const textOf = (text: string) => ({ type: "text", text });

export const resourceOf = (uri: string, mimeType: string, text: string) => ({
  type: "resource",
  resource: { uri, mimeType, text },
});

export function askFor(message: string, properties: object, required?: readonly string[]) {
  return {
    method: "elicitation/create",
    params: {
      mode: "form",
      message,
      requestedSchema: { type: "object", properties, ...(required && { required }) },
    },
  };
}

export function sample(text: string, maxTokens = 100) {
  const messages = [{ role: "user", content: textOf(text) }];
  return { method: "sampling/createMessage", params: { messages, maxTokens } };
}
