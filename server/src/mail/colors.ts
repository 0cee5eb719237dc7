/** The colors in `web/public/css/base.css`. Email clients don't support custom properties. */
export const light = {
  ink: "#1b1f24",
  inkSoft: "#57606a",
  paper: "#fbfbf9",
  panel: "#ffffff",
  line: "#e3e3de",
  accent: "#1f6f5c",
  onAccent: "#ffffff",
  bad: "#b3261e",
};

export const dark: typeof light = {
  ink: "#e6e9ec",
  inkSoft: "#9aa4ae",
  paper: "#14171a",
  panel: "#1b1f23",
  line: "#2d333a",
  accent: "#5cc4a8",
  onAccent: "#0e1513",
  bad: "#ff8a80",
};
