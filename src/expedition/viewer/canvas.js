// The NiceGUI component: an empty place on the page, which the scripts in static/ fill.
export default {
    template: '<div class="mission-view"></div>',
    props: { address: String },
    async mounted() {
        const { Watch } = await import("/static/watch.js");
        this.watch = new Watch(this.$el, this.address);
        window.expedition = this.watch;
    },
    unmounted() { this.watch?.close(); },
};
