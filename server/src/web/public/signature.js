// Lets people draw their signature with a finger, a pen or a mouse. The typed name is enough.
(() => {
  const size = [900, 300];
  const ink = "#16181a";

  for (const pad of document.querySelectorAll(".signature-pad")) {
    const input = pad.querySelector("input");
    const { label, clear, file } = pad.dataset;
    const caption = Object.assign(document.createElement("small"), { textContent: label });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = size;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", label);
    const button = Object.assign(document.createElement("button"), {
      ...{ type: "button", className: "quiet", textContent: clear, hidden: true },
    });
    pad.append(caption, canvas, button);
    pad.hidden = false;

    const context = canvas.getContext("2d");
    const wipe = () => {
      context.fillStyle = "#fff";
      context.fillRect(0, 0, ...size);
      Object.assign(context, {
        strokeStyle: ink,
        lineWidth: 6,
        lineCap: "round",
        lineJoin: "round",
      });
    };
    wipe();

    /** The form sends the drawing as a chosen file. */
    const keep = (...files) => {
      const chosen = new DataTransfer();
      for (const one of files) chosen.items.add(one);
      input.files = chosen.files;
      button.hidden = files.length === 0;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    // Without waiting, because the form may be sent at once.
    const save = () => {
      const content = atob(canvas.toDataURL("image/png").split(",")[1]);
      const bytes = Uint8Array.from(content, (one) => one.charCodeAt(0));
      keep(new File([bytes], file, { type: "image/png" }));
    };

    const toPoint = ({ clientX, clientY }) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      return [((clientX - left) * size[0]) / width, ((clientY - top) * size[1]) / height];
    };
    let last;
    const draw = (event) => {
      const point = toPoint(event);
      context.beginPath();
      context.moveTo(...(last ?? point));
      context.lineTo(...point);
      context.stroke();
      last = point;
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      draw(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (last === undefined || !event.isPrimary) return;
      const parts = event.getCoalescedEvents?.() ?? [];
      for (const part of parts.length > 0 ? parts : [event]) draw(part);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, ({ isPrimary }) => {
        if (last === undefined || !isPrimary) return;
        last = undefined;
        save();
      });
    }
    button.addEventListener("click", () => {
      wipe();
      keep();
    });

    /** Shows the drawing of a form that is filled in again. */
    input.addEventListener("change", async () => {
      const picture = await createImageBitmap(input.files[0]).catch(() => undefined);
      if (picture === undefined) return;
      wipe();
      context.drawImage(picture, 0, 0, ...size);
      button.hidden = false;
    });
  }
})();
