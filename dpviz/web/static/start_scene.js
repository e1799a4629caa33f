// The component behind dpviz/ui/start_screen: what plays the screen stands before this.
export default function ({ parentElement, data }) {
  startScene(parentElement.querySelector(".dp-scene"), data);
}
